package winnow.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/// Address of the broker, user to log in, and certificates. A bean of this type replaces
/// `spring.winnow.url`, if it names a user, `spring.winnow.user` and `spring.winnow.password`, and,
/// if it has a bundle, `spring.winnow.ssl.bundle`.
public interface WinnowConnectionDetails extends ConnectionDetails {
    /// URL of `winnow://` or `winnows://`, with one host or several, and with options if it is to
    /// have some.
    String getUrl();

    /// The user, or null for the one of the properties or of the URL.
    default @Nullable String getUser() {
        return null;
    }

    /// The user's password.
    default @Nullable String getPassword() {
        return null;
    }

    /// The certificates, or null for the bundle of `spring.winnow.ssl.bundle`; with a URL of
    /// `winnows://`.
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
