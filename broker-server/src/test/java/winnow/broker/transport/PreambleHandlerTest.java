package winnow.broker.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import winnow.broker.fault.FaultBarrier;
import winnow.broker.matching.NameDictionary;
import winnow.broker.metrics.BrokerCounters;
import winnow.broker.session.ClientConnection;
import winnow.broker.session.FakeOutput;
import winnow.broker.session.FakeSessionLoop;
import winnow.broker.session.SessionContext;
import winnow.broker.subscription.BacklogMemory;
import winnow.wire.ErrorCode;
import winnow.wire.frame.ControlFrame;

/// A port that speaks two protocols, neither of them the native one.
class PreambleHandlerTest {
    private final LoopThreads threads = new LoopThreads("test-loop");
    private final EventLoopGroup group = EventLoops.newGroup(1, threads);
    private final NettyLoop loop =
            new NettyLoop(
                    (IoLoop) group.next(),
                    0,
                    new ArrayList<>(),
                    1,
                    new NettyLoop.Shared(
                            new NameDictionary(1),
                            new BrokerCounters(),
                            new BacklogMemory(1 << 20),
                            new FaultBarrier(new LongAdder()),
                            System::nanoTime));
    private final FakeSessionLoop sessions = new FakeSessionLoop(new BacklogMemory(1024));
    private final SessionContext context = sessions.context(1024);
    private final NamedProtocol common = new NamedProtocol("LINE");
    private final NamedProtocol other = new NamedProtocol("LIST");
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final NewConnection connection = new NewConnection(channel, loop, common, _ -> {});

    PreambleHandlerTest() {
        channel.pipeline()
                .addLast(
                        NewConnection.PREAMBLE,
                        new PreambleHandler(
                                connection,
                                List.of(common, other),
                                loop,
                                new TlsPort(null, new BrokerCounters().tlsFailures)));
    }

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
        context.storage().close();
        threads.onStop();
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /// A protocol whose preamble is its name, and that keeps what follows.
    private final class NamedProtocol implements ClientProtocol {
        private final String name;
        final FakeOutput output = new FakeOutput(sessions);
        final StringBuilder read = new StringBuilder();
        int begun;

        NamedProtocol(String name) {
            this.name = name;
        }

        @Override
        public Recognition recognize(ByteBuf first) {
            int known = Math.min(name.length(), first.readableBytes());
            String begin = first.toString(first.readerIndex(), known, US_ASCII);
            if (!name.startsWith(begin)) {
                return Recognition.NO;
            }
            return known == name.length() ? Recognition.YES : Recognition.UNDECIDED;
        }

        @Override
        public ClientConnection begin(
                Channel of, NettyLoop itsLoop, ReadSize readSize, ByteBuf first) {
            begun++;
            first.skipBytes(Math.min(name.length(), first.readableBytes()));
            of.pipeline()
                    .addLast(
                            new SimpleChannelInboundHandler<ByteBuf>() {
                                @Override
                                protected void channelRead0(ChannelHandlerContext at, ByteBuf in) {
                                    read.append(in.toString(US_ASCII));
                                }
                            });
            return new ClientConnection(context, output);
        }
    }

    private void receive(String bytes) {
        channel.writeInbound(Unpooled.copiedBuffer(bytes, US_ASCII));
    }

    @Test
    void shouldMakeNothingBeforeTheProtocolIsKnown() {
        // when
        receive("LI");

        // then
        assertThat(common.begun + other.begun).isZero();
        assertThat(context.connections().open()).isEmpty();
        assertThat(connection.isLoggedIn()).isFalse();
    }

    @Test
    void shouldGiveTheRestToTheProtocolThatWasRecognized() {
        // when
        receive("LI");
        receive("STa");
        receive("b");

        // then
        assertThat(common.begun).isZero();
        assertThat(other.begun).isEqualTo(1);
        assertThat(other.read).hasToString("ab");
        assertThat(context.connections().open()).hasSize(1);
    }

    @Test
    void shouldRefuseAnUnknownProtocolInTheCommonOne() {
        // when
        receive("GET / HTTP/1.1");

        // then
        assertThat(other.begun).isZero();
        assertThat(common.read).isEmpty();
        assertThat(common.output.frames)
                .singleElement()
                .isInstanceOfSatisfying(
                        ControlFrame.Goodbye.class,
                        goodbye -> {
                            assertThat(goodbye.code())
                                    .isEqualTo(ErrorCode.MALFORMED_FRAME.number());
                            assertThat(goodbye.message()).contains("found an HTTP request");
                        });
    }

    @Test
    void shouldSayGoodbyeInTheProtocolOfTheClientOnceItIsKnown() {
        // given
        receive("LIST");

        // when
        connection.goodbye(ErrorCode.LIMIT_EXCEEDED, "enough");

        // then
        assertThat(common.begun).isZero();
        assertThat(other.output.frames)
                .containsExactly(
                        new ControlFrame.Goodbye(ErrorCode.LIMIT_EXCEEDED.number(), "enough"));
    }
}
