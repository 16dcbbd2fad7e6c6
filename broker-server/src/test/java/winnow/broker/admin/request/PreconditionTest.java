package winnow.broker.admin.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import winnow.broker.transport.HttpServer.Headers;

class PreconditionTest {
    /// The object has the tag "a", or is not there.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            textBlock =
                    """
                    ^^             | ^^         | true  | true
                    *              | ^^         | true  | false
                    "a"            | ^^         | true  | false
                    "b"            | ^^         | false | false
                    "b","a"        | ^^         | true  | false
                    "b" , "c,a"    | ^^         | false | false
                    W/"a"          | ^^         | false | false
                    ""             | ^^         | false | false
                    ^^             | *          | false | true
                    ^^             | "a"        | false | true
                    ^^             | W/"a"      | false | true
                    ^^             | "b", W/"c" | true  | true
                    "a"            | "b"        | true  | false
                    """)
    void shouldHoldAsHttpSays(String match, String noneMatch, boolean there, boolean missing) {
        assertThat(holds(match, noneMatch, "\"a\"")).isEqualTo(there);
        assertThat(holds(match, noneMatch, "")).isEqualTo(missing);
    }

    private static boolean holds(String match, String noneMatch, String etag) {
        Precondition condition = Precondition.of(new Headers("", "", "", "", match, noneMatch));
        try {
            condition.check("user 'ann'", etag);
            return true;
        } catch (ProblemException e) {
            assertThat(e.status()).isEqualTo(412);
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\"a", "a\"", "\"a\" \"b\"", "\"a\",", ",", "*, \"a\"", "w/\"a\""})
    void shouldRefuseWhatIsNoETag(String value) {
        assertThatThrownBy(() -> Precondition.of(new Headers("", "", "", "", value, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("If-Match: expected * or ETags in double quotes, found '%s'", value);
        assertThatThrownBy(() -> Precondition.of(new Headers("", "", "", "", "", value)))
                .hasMessageStartingWith("If-None-Match: expected * or ETags");
    }
}
