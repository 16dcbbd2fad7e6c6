package winnow.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/// Settings of the engine. Those that decide what a confirmation is worth are written out, also
/// where they are its defaults.
final class RaftSettings {
    /// Largest entry, its header included. The engine sends no larger request, with a few bytes of
    /// its own around each entry.
    static final int ENTRY_BYTES = (4 << 20) - (64 << 10);

    private static final SizeInBytes REQUEST = SizeInBytes.valueOf("4MB");
    private static final SizeInBytes WRITE_BUFFER = SizeInBytes.valueOf("4100KB");
    private static final SizeInBytes SEGMENT = SizeInBytes.valueOf("32MB");

    /// Entries on their way to be written, and those that a slow follower may still ask for.
    private static final SizeInBytes CACHED = SizeInBytes.valueOf("48MB");

    private static final SizeInBytes WAITING = SizeInBytes.valueOf("32MB");

    /// Entries without an answer, those of an earlier owner on this node included: well above
    /// [ClusterShardLog#UNANSWERED_BYTES] of each, because the engine refuses what is above it.
    private static final SizeInBytes UNANSWERED = SizeInBytes.valueOf("256MB");

    /// A node that was suspended for so long takes part again afterwards.
    private static final TimeDuration SUSPENDED = TimeDuration.valueOf(365, TimeUnit.DAYS);

    private RaftSettings() {}

    static RaftProperties properties(ClusterNodeOptions options) throws IOException {
        RaftProperties properties = new RaftProperties();
        Files.createDirectories(options.log());
        RaftServerConfigKeys.setStorageDir(properties, List.of(options.log().toFile()));
        durability(properties);
        sizes(properties);
        times(properties, options.electionTimeout().toMillis());
        snapshots(properties);
        // One thread puts what this node proposes into the log, in the order of its calls.
        RaftServerConfigKeys.ThreadPool.setClientCached(properties, false);
        RaftServerConfigKeys.ThreadPool.setClientSize(properties, 1);
        transport(properties, options);
        return properties;
    }

    /// An entry counts for a majority when it is on the disk, on the leader as on a follower.
    private static void durability(RaftProperties properties) {
        RaftServerConfigKeys.Log.setUseMemory(properties, false);
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    }

    private static void sizes(RaftProperties properties) {
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, REQUEST);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(properties, REQUEST);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, WRITE_BUFFER);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, CACHED);
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
        RaftServerConfigKeys.Log.setQueueByteLimit(properties, WAITING);
        RaftServerConfigKeys.Write.setByteLimit(properties, UNANSWERED);
    }

    private static void times(RaftProperties properties, long electionMillis) {
        TimeDuration least = TimeDuration.valueOf(electionMillis, TimeUnit.MILLISECONDS);
        TimeDuration most = TimeDuration.valueOf(2 * electionMillis, TimeUnit.MILLISECONDS);
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, least);
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, most);
        RaftServerConfigKeys.Rpc.setRequestTimeout(properties, most);
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, most);
        RaftServerConfigKeys.setCloseThreshold(properties, SUSPENDED);
    }

    private static void snapshots(RaftProperties properties) {
        // The tables say when: by the size of the log, which the engine does not look at.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1L);
        // A node that is away does not keep the log of the others from being cut: it gets a
        // snapshot when it comes back.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    }

    private static void transport(RaftProperties properties, ClusterNodeOptions options) {
        ClusterMember member = options.member();
        if (options.tls() == null) {
            RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.NETTY);
            NettyConfigKeys.Server.setHost(properties, member.host());
            NettyConfigKeys.Server.setPort(properties, member.port());
        } else {
            RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
            GrpcConfigKeys.Server.setHost(properties, member.host());
            GrpcConfigKeys.Server.setPort(properties, member.port());
        }
    }

    /// Certificates, which both sides of each connection show.
    static Parameters parameters(ClusterNodeOptions.@Nullable Tls tls) {
        Parameters parameters = new Parameters();
        if (tls != null) {
            GrpcTlsConfig config =
                    new GrpcTlsConfig(
                            file(tls.key()), file(tls.certificate()), file(tls.authority()), true);
            GrpcConfigKeys.TLS.setConf(parameters, config);
            GrpcConfigKeys.Server.setTlsConf(parameters, config);
            GrpcConfigKeys.Client.setTlsConf(parameters, config);
            GrpcConfigKeys.Admin.setTlsConf(parameters, config);
        }
        return parameters;
    }

    private static java.io.File file(Path path) {
        return path.toFile();
    }
}
