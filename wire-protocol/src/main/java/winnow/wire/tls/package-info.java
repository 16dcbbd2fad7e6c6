/// Keys and certificates in files, PEM or PKCS#12, as broker and client read them for TLS. Over the
/// JDK alone; knows no sockets.
///
/// Reading order: [Identity] (own certificate and key), [TrustedCertificates], [PemFile].
@NullMarked
package winnow.wire.tls;

import org.jspecify.annotations.NullMarked;
