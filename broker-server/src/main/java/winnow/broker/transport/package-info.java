/// Netty: sockets, event loops, buffers, and the HTTP port. The only package that knows channels.
///
/// ```
///  TcpServer -> PreambleHandler -> FrameHandler -> ClientConnection (session)
///                                                       |
///  socket <- one write per loop iteration <- ConnectionOutput
/// ```
///
/// Reading order: [TcpServer] (the pipeline), [PreambleHandler], [FrameHandler],
/// [ConnectionOutput], [NettyLoop] (what happens at the end of a loop's iteration), [EventLoops],
/// [HttpServer].
@NullMarked
package winnow.broker.transport;

import org.jspecify.annotations.NullMarked;
