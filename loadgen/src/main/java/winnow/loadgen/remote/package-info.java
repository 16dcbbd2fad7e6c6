/// Workers on other machines: a TCP connection between the coordinator and `winnow load worker`,
/// which starts the worker process on its machine and measures that machine.
///
/// ```
/// coordinator                                     machine of the worker
/// Workers -> RemoteWorker   <== WorkerLink ==>    WorkerService -> WorkerProcess -> WorkerMain
///            SharedCounters <-- counts            SharedCounters <-- written per message
///            SendGrants     --> grants            SharedCounters --> read by publishers
/// ```
///
/// Read in this order: [WorkerSecret], [WorkerHandshake] and [WorkerLink] (who may give orders),
/// [WorkerOrder] and [WorkerReport] (what is said), [WorkerServer] and [WorkerService] (the machine
/// of the worker), [RemoteWorkers], [RemoteWorker] and [SendGrants] (the coordinator). Virtual
/// threads wait for the network.
///
/// No time of one machine is compared with one of another. The connection is authenticated and not
/// encrypted.
@NullMarked
package winnow.loadgen.remote;

import org.jspecify.annotations.NullMarked;
