/// The physical floor: a bare Netty relay of the same frames, and a plain-socket client that drives
/// the relay and the broker alike. [FloorBenchmark] is the program, [Relay] the floor
/// ([BlockingRelay] where every message is waited for), [RawLoad] and [RawRoundTrip] the two
/// measurements, [RawConnection] one socket. [StoringRelayBenchmark] has the disk in it, by a
/// [RelayLog]; [DrainBenchmark] with its [BacklogRelay] and [ReplayBenchmark] read a store.
@NullMarked
package winnow.tests.floor;

import org.jspecify.annotations.NullMarked;
