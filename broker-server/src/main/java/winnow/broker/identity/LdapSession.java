package winnow.broker.identity;

import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.ExtendedResult;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchResultListener;
import com.unboundid.ldap.sdk.SearchResultReference;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.StartTLSExtendedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Questions about one user over one connection, which all of them together may wait for: then the
/// connection ends, whatever the directory sends. Used by one thread.
final class LdapSession implements AutoCloseable {
    /// Answers to a bind that say something about the user: there is none, the password is wrong,
    /// or the directory does not let it in, for example after too many guesses.
    private static final Set<ResultCode> REFUSALS =
            Set.of(
                    ResultCode.INVALID_CREDENTIALS,
                    ResultCode.INAPPROPRIATE_AUTHENTICATION,
                    ResultCode.NO_SUCH_OBJECT,
                    ResultCode.INVALID_DN_SYNTAX,
                    ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                    ResultCode.CONSTRAINT_VIOLATION,
                    ResultCode.UNWILLING_TO_PERFORM);

    private final LDAPConnection connection;
    private final long deadlineNanos;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    /// @param sockets of the connection if it has TLS
    LdapSession(LDAPConnection connection, @Nullable LdapSockets sockets, Duration timeout) {
        this.connection = connection;
        deadlineNanos = System.nanoTime() + timeout.toNanos();
        // A read with a timeout has it for each byte.
        var _ =
                end.completeOnTimeout(null, timeout.toNanos(), TimeUnit.NANOSECONDS)
                        .thenRunAsync(() -> {
                            if (sockets != null) {
                                sockets.close();
                            }
                            connection.closeWithoutUnbind();
                        });
    }

    /// Encrypts what is sent from here on.
    void startTls(LdapSockets sockets) throws LDAPException {
        StartTLSExtendedRequest request = new StartTLSExtendedRequest(sockets);
        request.setResponseTimeoutMillis(remainingMillis());
        ExtendedResult result = connection.processExtendedOperation(request);
        if (!result.getResultCode().equals(ResultCode.SUCCESS)) {
            throw new LDAPException(ResultCode.CONNECT_ERROR, "expected StartTLS, found " + result);
        }
    }

    /// Continues as the owner of an entry.
    void bind(String dn, String password) throws LDAPException {
        bind(new SimpleBindRequest(dn, password));
    }

    private void bind(SimpleBindRequest request) throws LDAPException {
        request.setResponseTimeoutMillis(remainingMillis());
        connection.bind(request);
    }

    /// Continues as the owner of an entry if the password is right.
    ///
    /// @return reason for the log if the directory refuses it, else empty
    String tryPassword(DN dn, String password) throws LDAPException {
        try {
            bind(new SimpleBindRequest(dn, password));
            return "";
        } catch (LDAPException e) {
            if (REFUSALS.contains(e.getResultCode())) {
                return LdapRefusal.text(e);
            }
            throw e;
        }
    }

    /// Entries that a filter finds.
    ///
    /// @param most that are returned, however many there are
    List<SearchResultEntry> search(
            String base, SearchScope scope, Filter filter, int most, String... attributes)
            throws LDAPException {
        Found found = new Found(most);
        SearchRequest request = new SearchRequest(found, base, scope, filter, attributes);
        request.setSizeLimit(most);
        request.setResponseTimeoutMillis(remainingMillis());
        try {
            connection.search(request);
        } catch (LDAPSearchException e) {
            boolean many = e.getResultCode().equals(ResultCode.SIZE_LIMIT_EXCEEDED);
            boolean none =
                    scope.equals(SearchScope.BASE)
                            && e.getResultCode().equals(ResultCode.NO_SUCH_OBJECT);
            if (!none && !(many && found.entries.size() >= most)) {
                throw e;
            }
        }
        return found.entries;
    }

    private long remainingMillis() throws LDAPException {
        long millis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        if (millis <= 0) {
            throw late(null);
        }
        return millis;
    }

    static LDAPException late(@Nullable LDAPException cause) {
        return new LDAPException(
                ResultCode.TIMEOUT,
                "expected all answers within security.ldap.timeout, found no end",
                cause);
    }

    /// True if the time for answers is over.
    boolean isOver() {
        return System.nanoTime() - deadlineNanos >= 0;
    }

    @Override
    public void close() {
        end.cancel(false);
        connection.close();
    }

    /// Keeps the first entries of a search. Ends the connection to a directory that sends entries
    /// without an end.
    private final class Found implements SearchResultListener {
        private static final long serialVersionUID = 1L;

        private final int most;
        private final transient List<SearchResultEntry> entries = new ArrayList<>();

        Found(int most) {
            this.most = most;
        }

        @Override
        public void searchEntryReturned(SearchResultEntry entry) {
            if (entries.size() < most && !isOver()) {
                entries.add(entry);
            } else {
                connection.close();
            }
        }

        /// Referrals are not followed.
        @Override
        public void searchReferenceReturned(SearchResultReference reference) {
            if (isOver()) {
                connection.close();
            }
        }
    }
}
