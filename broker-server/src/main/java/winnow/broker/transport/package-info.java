/// Netty: sockets, event loops, buffers, and the HTTP port. The only package that knows channels.
///
/// ```
///  TcpServer -> PreambleHandler -> FrameHandler -> ClientConnection (session)
///                                                       |
///  socket <- one write when it is its turn <- ConnectionOutput
/// ```
///
/// Reading order: [TcpServer] (the pipeline), [PreambleHandler], [FrameHandler],
/// [ConnectionOutput], [NettyLoop] (what happens at the end of a loop's iteration) with
/// [NextMessage] (whether it polls or sleeps then), [EventLoops], [HttpServer].
@NullMarked
package winnow.broker.transport;

import org.jspecify.annotations.NullMarked;
