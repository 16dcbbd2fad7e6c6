package winnow.cluster;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;

/// A question to one other node, by a connection of its own.
///
/// @param <T> the answer
@FunctionalInterface
interface PeerQuestion<T> {
    /// Longest time until the answer, besides that of the name service.
    long ANSWER_MILLIS = 3000;

    T ask(RaftClient client) throws IOException;

    /// Asks a node once. Blocks, for 3 s at most.
    ///
    /// @throws ExecutionException if it cannot be reached, or refuses
    /// @throws TimeoutException if it says nothing
    static <T> T ask(
            RaftGroupId group, ClusterNodeOptions options, RaftPeer peer, PeerQuestion<T> question)
            throws InterruptedException, ExecutionException, TimeoutException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        // A connection to nowhere may take longer than the answer.
        Thread.ofVirtual()
                .name("winnow-peer-question")
                .start(() -> {
                    try (RaftClient client = client(group, options, peer)) {
                        answer.complete(question.ask(client));
                    } catch (IOException | RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                });
        return answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static RaftClient client(RaftGroupId group, ClusterNodeOptions options, RaftPeer peer)
            throws IOException {
        return RaftClient.newBuilder()
                .setRaftGroup(RaftGroup.valueOf(group, peer))
                .setProperties(RaftSettings.properties(options))
                .setParameters(RaftSettings.parameters(options.tls()))
                .setRetryPolicy(RetryPolicies.noRetry())
                .build();
    }
}
