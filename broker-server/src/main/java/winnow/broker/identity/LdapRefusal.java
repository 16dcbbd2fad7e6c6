package winnow.broker.identity;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import winnow.wire.Printable;

/// Says for the log why a directory has refused a bind.
final class LdapRefusal {
    /// Active Directory refuses all by the same result, and writes a code of Windows behind it in
    /// hexadecimal: `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data
    /// 533, v4563`.
    private static final Pattern DATA = Pattern.compile("\\bdata ([0-9a-fA-F]{1,8})\\b");

    /// Codes of Windows (winerror.h).
    private static final Map<String, String> MEANINGS =
            Map.of(
                    "525", "there is no such user",
                    "52e", "the password is wrong",
                    "530", "the user may not log in at this time",
                    "531", "the user may not log in from this machine",
                    "532", "the password has expired",
                    "533", "the account is disabled",
                    "701", "the account has expired",
                    "773", "the user must set another password first",
                    "775", "the account is locked after wrong passwords");

    private LdapRefusal() {}

    /// Reason for operators.
    static String text(LDAPException refusal) {
        ResultCode result = refusal.getResultCode();
        String said = refusal.getDiagnosticMessage() == null ? "" : refusal.getDiagnosticMessage();
        Matcher data = DATA.matcher(said);
        String code = data.find() ? data.group(1).toLowerCase(Locale.ROOT) : "";
        String meaning = MEANINGS.getOrDefault(code, "");
        boolean known = result.equals(ResultCode.INVALID_CREDENTIALS) && !meaning.isEmpty();
        String shown = Printable.line(Printable.message(said)).strip();
        String detail = known ? meaning + " (data " + code + ")" : shown;
        return "the directory says '%s' (%d)%s"
                .formatted(
                        result.getName(), result.intValue(), detail.isEmpty() ? "" : ": " + detail);
    }
}
