/// Netty: sockets, event loops, buffers, and the HTTP port. The only package that knows channels.
///
/// ```
///  TcpServer -> PreambleHandler -> FrameHandler -> FrameDecoder -> ClientConnection (session)
///                                                                        |
///             socket <- one write when it is its turn <- ConnectionOutput
/// ```
///
/// Reading order: [TcpServer] (the pipeline), [NewConnection], [PreambleHandler] (which
/// [ClientProtocol] it speaks) and [LoginTimeouts], [NativeProtocol], [FrameHandler],
/// [FrameDecoder] and [FrameInput] (what is read), [ConnectionOutput] and [DeliveryWriter] (what is
/// written), [NettyLoop] (what happens at the end of a loop's iteration) with [NextMessage]
/// (whether it polls or sleeps then) and [IoLoop] (how long that took), [LargeBlocks] and
/// [LargeFrame] (large messages to all and to one), [EventLoops], [HttpServer] with [AdminSocket]
/// (its pages for the operator) and [SocketClient] (commands that ask there). TLS: [TlsPort] (the
/// pipeline of a port), [winnow.broker.transport.tls.TlsCertificates] (files that are read again),
/// [winnow.broker.transport.tls.HandshakeSlots] (how many handshakes at a time),
/// [winnow.broker.transport.tls.TlsPacing] and [winnow.broker.transport.tls.TlsHeldReads] (bounds
/// of what is encrypted and decrypted ahead), [TlsFailures] (what went wrong, for the log).
@NullMarked
package winnow.broker.transport;

import org.jspecify.annotations.NullMarked;
