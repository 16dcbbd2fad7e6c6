package winnow.broker.security;

import java.util.ArrayList;
import java.util.List;

/// Ways to prove a user to a broker, as clients are told of them. Immutable.
///
/// @param passwords whether users have passwords, in the user file or at a directory
/// @param tokens whether tokens of an issuer are taken
/// @param certificates whether certificates of clients prove users
public record LoginWays(boolean passwords, boolean tokens, boolean certificates) {
    private static final String BASIC = "Basic";
    private static final String BEARER = "Bearer";

    /// True if clients need credentials.
    boolean any() {
        return passwords || tokens || certificates;
    }

    /// Credentials that a client without any is asked for.
    public String demand() {
        List<String> ways = new ArrayList<>();
        add(ways, passwords, "a user and a password");
        add(ways, tokens, "a token");
        add(ways, certificates, "a client certificate");
        return "this broker demands " + String.join(", or ", ways);
    }

    /// The same by HTTP.
    public String demandByHttp() {
        List<String> schemes = schemes();
        return demand() + (schemes.isEmpty() ? "" : ", as HTTP " + String.join(" or ", schemes));
    }

    private List<String> schemes() {
        List<String> schemes = new ArrayList<>();
        add(schemes, passwords, BASIC);
        add(schemes, tokens, BEARER);
        return schemes;
    }

    private static void add(List<String> texts, boolean way, String text) {
        if (way) {
            texts.add(text);
        }
    }

    /// Values of the header `WWW-Authenticate` for a request that has proved no user.
    ///
    /// @param tokenRefused whether the request had a token (RFC 6750)
    public List<String> challenges(boolean tokenRefused) {
        // An answer 401 needs one (RFC 9110) where certificates alone prove users, too.
        List<String> schemes = passwords || tokens ? schemes() : List.of(BASIC);
        return schemes.stream().map(scheme -> challenge(scheme, tokenRefused)).toList();
    }

    private static String challenge(String scheme, boolean tokenRefused) {
        boolean refused = tokenRefused && scheme.equals(BEARER);
        return scheme + " realm=\"winnow\"" + (refused ? ", error=\"invalid_token\"" : "");
    }
}
