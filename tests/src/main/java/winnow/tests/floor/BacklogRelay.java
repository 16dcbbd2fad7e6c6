package winnow.tests.floor;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import winnow.store.Batch;
import winnow.store.Completion;
import winnow.store.Durability;
import winnow.store.LogException;
import winnow.store.ShardLog;
import winnow.store.Table;
import winnow.store.rocksdb.RocksSettings;
import winnow.store.rocksdb.RocksShardLog;
import winnow.wire.DeliveryRanges;
import winnow.wire.FrameSplitter;
import winnow.wire.Protocol;
import winnow.wire.WireReader;
import winnow.wire.WireWriter;
import winnow.wire.frame.Acknowledge;
import winnow.wire.frame.ControlFrame;
import winnow.wire.frame.StoredDelivery;

/// The least that drains a backlog: one thread reads messages from the store, one event loop writes
/// them to the socket of one consumer, and the store's thread writes what is acknowledged. No
/// sessions, redelivery, priority, selectors or checksums, and no message is deleted. It ends with
/// its first connection.
public final class BacklogRelay {
    /// Messages that may be sent and not acknowledged, as a consumer of a queue has them.
    private static final int WINDOW = 1000;

    /// Acknowledgements that share a row. The broker syncs as often, because it notes ahead which
    /// messages may be delivered.
    private static final int NOTED_TOGETHER = 1024;

    private static final byte[] PROGRESS = {-1};

    private final ShardLog log;
    private final byte[] scratch = new byte[FrameSplitter.SCRATCH_BYTES];

    private BacklogRelay(ShardLog log) {
        this.log = log;
    }

    /// @param args the directory of the store
    public static void main(String[] args) throws InterruptedException {
        // Completions are called by the store's thread.
        ShardLog log =
                RocksShardLog.open(Path.of(args[0]), Runnable::run, RocksSettings.defaults());
        BacklogRelay relay = new BacklogRelay(log);
        RelayServer.run(channel -> relay.new Connection(channel));
    }

    private final class Connection extends ChannelInboundHandlerAdapter {
        private final EventLoop loop;
        private final RelayOutput output;
        private final FrameSplitter splitter = new FrameSplitter(scratch, 1 << 24);
        private final WireWriter head = new WireWriter(64);
        private final BacklogReader reader = new BacklogReader(log);
        private final Deque<BacklogReader.Chunk> chunks = new ArrayDeque<>();
        private int preambleLeft = Protocol.PREAMBLE_BYTES;

        /// Of the first chunk.
        private int nextInChunk;

        private long sent;
        private long acknowledged;
        private long noted;

        Connection(Channel channel) {
            loop = channel.eventLoop();
            output = new RelayOutput(channel);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            int skip = Math.min(preambleLeft, in.readableBytes());
            in.skipBytes(skip);
            preambleLeft -= skip;
            splitter.feed(in, this::onFrame);
            in.release();
        }

        private void onFrame(int type, WireReader payload) {
            switch (ControlFrame.decode(type, payload)) {
                case ControlFrame.Hello _ -> output.welcome();
                case ControlFrame.Subscribe subscribe -> {
                    output.answer(new ControlFrame.Accepted(subscribe.requestId()));
                    reader.start(chunk -> loop.execute(() -> onChunk(chunk)));
                }
                case Acknowledge acknowledge -> onAcknowledge(acknowledge);
                default -> throw new IllegalStateException("unexpected frame of type " + type);
            }
        }

        private void onChunk(BacklogReader.Chunk chunk) {
            chunks.add(chunk);
            send();
        }

        private void send() {
            while (sent - acknowledged < WINDOW && !chunks.isEmpty()) {
                BacklogReader.Chunk chunk = chunks.getFirst();
                if (nextInChunk == chunk.size) {
                    chunks.removeFirst();
                    nextInChunk = 0;
                    reader.release();
                } else {
                    send(chunk.headers[nextInChunk], chunk.bodies[nextInChunk]);
                    nextInChunk++;
                }
            }
        }

        private void send(byte[] header, byte[] body) {
            sent++;
            head.clear();
            StoredDelivery.write(head, 1, sent, 0, header.length + body.length);
            ByteBuf buffer = output.room(head.size() + header.length + body.length);
            buffer.writeBytes(head.array(), 0, head.size());
            buffer.writeBytes(header);
            buffer.writeBytes(body);
        }

        private void onAcknowledge(Acknowledge frame) {
            DeliveryRanges ranges = frame.deliveries();
            if (ranges.count() != 1
                    || ranges.first(0) != acknowledged + 1
                    || ranges.last(0) > sent) {
                throw new IllegalStateException(
                        "expected ids after " + acknowledged + " up to " + sent + ": " + ranges);
            }
            acknowledged = ranges.last(0);
            if (frame.requestId() != 0) {
                note(() -> output.answer(new ControlFrame.Accepted(frame.requestId())));
            } else if (acknowledged - noted >= NOTED_TOGETHER) {
                note(() -> {});
            }
            send();
        }

        private void note(Runnable done) {
            noted = acknowledged;
            Batch batch = new Batch();
            batch.put(
                    Table.PROGRESS,
                    PROGRESS,
                    ByteBuffer.allocate(2 * Long.BYTES)
                            .putLong(acknowledged)
                            .putLong(acknowledged + WINDOW)
                            .array());
            log.append(batch, Durability.SYNCED, new Note(loop, done));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            // Whoever has lost the connection has failed.
            System.exit(0);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            cause.printStackTrace();
            context.close();
        }
    }

    /// Says on the event loop that acknowledgements are on the disk.
    private static final class Note implements Completion {
        private final EventLoop loop;
        private final Runnable done;

        Note(EventLoop loop, Runnable done) {
            this.loop = loop;
            this.done = done;
        }

        @Override
        public void onWritten() {
            loop.execute(done);
        }

        @Override
        public void onFailed(LogException cause) {
            cause.printStackTrace();
            System.exit(1);
        }
    }
}
