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
/// [NextMessage] (whether it polls or sleeps then) and [IoLoop] (how long that took), [LargeBlocks]
/// and [LargeFrame] (large messages to all and to one), [EventLoops], [HttpServer]. TLS: [TlsPort]
/// (the pipeline of a port), [TlsCertificates] (files that are read again), [HandshakeSlots] (how
/// many handshakes at a time), [TlsPacing] and [TlsHeldReads] (bounds of what is encrypted and
/// decrypted ahead), [TlsFailures] (what went wrong, for the log).
@NullMarked
package winnow.broker.transport;

import org.jspecify.annotations.NullMarked;
