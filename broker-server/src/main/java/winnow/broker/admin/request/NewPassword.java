package winnow.broker.admin.request;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;
import winnow.broker.security.UserFile;

/// Body of a request that sets a password.
public record NewPassword(String password) {
    private static final String PASSWORD = "password";
    private static final String FORM = "body: expected {\"password\": \"...\"} in JSON, found ";

    /// Reads a body. No message has a part of it, because it may be of the password.
    ///
    /// @throws IllegalArgumentException saying what is wrong with it
    public static NewPassword parse(String body) {
        if (body.isBlank()) {
            throw new IllegalArgumentException(FORM + "none");
        }
        JsonNode found = read(body);
        if (!found.isObject()) {
            throw new IllegalArgumentException(FORM + "no object");
        }
        for (Map.Entry<String, JsonNode> field : found.properties()) {
            if (!field.getKey().equals(PASSWORD)) {
                throw new IllegalArgumentException(FORM + "a field of another name");
            }
        }
        JsonNode password = found.path(PASSWORD);
        if (!password.isTextual()) {
            throw new IllegalArgumentException(
                    FORM + (password.isMissingNode() ? "no password" : "a password of no text"));
        }
        UserFile.requirePassword(password.textValue());
        return new NewPassword(password.textValue());
    }

    private static JsonNode read(String body) {
        try {
            return Mapper.STRICT.readTree(body);
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            String where =
                    place == null
                            ? ""
                            : " at line %d, column %d"
                                    .formatted(place.getLineNr(), place.getColumnNr());
            // Without its cause: the message of the library has parts of the body.
            throw new IllegalArgumentException(FORM + "something else" + where);
        }
    }

    /// Leaves out the password.
    @Override
    public String toString() {
        return "NewPassword";
    }

    /// Made at the first use, because loading the library takes a part of the broker's start.
    private static final class Mapper {
        static final JsonMapper STRICT =
                JsonMapper.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .build();
    }
}
