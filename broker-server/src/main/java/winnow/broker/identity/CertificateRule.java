package winnow.broker.identity;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// Place of texts in a certificate, and the part of them that counts: `subject.CN`, or
/// `uri=spiffe://acme/app/*`, where `*` stands for that part. Texts that do not fit do not count.
/// Immutable.
///
/// @param place `subject` and an attribute, `dns`, `email` or `uri`; empty for none
/// @param before the part that counts
/// @param after that part
public record CertificateRule(String place, String before, String after) {
    static final CertificateRule NONE = new CertificateRule("", "", "");

    private static final String SUBJECT = "subject.";

    /// Attributes that RFC 2253 has no names for, by their numbers.
    private static final Map<String, String> FURTHER_ATTRIBUTES =
            Map.of(
                    "1.2.840.113549.1.9.1", "EMAILADDRESS",
                    "2.5.4.4", "SURNAME",
                    "2.5.4.5", "SERIALNUMBER",
                    "2.5.4.12", "TITLE",
                    "2.5.4.42", "GIVENNAME");

    /// Attributes of a subject, without regard to capitals.
    private static final Set<String> ATTRIBUTES =
            Stream.concat(
                            Stream.of("CN", "C", "O", "OU", "L", "ST", "STREET", "DC", "UID"),
                            FURTHER_ATTRIBUTES.values().stream())
                    .collect(Collectors.toCollection(TreeSet::new));

    private static final List<String> NAMES = List.of("dns", "email", "uri");

    /// Numbers of the alternative names in [X509Certificate#getSubjectAlternativeNames], in the
    /// order of [#NAMES].
    private static final List<Integer> NAME_TYPES = List.of(2, 1, 6);

    /// Reads the text form.
    ///
    /// @throws IllegalArgumentException saying what was expected and what was found
    public static CertificateRule parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        int equals = text.indexOf('=');
        String place = equals < 0 ? text : text.substring(0, equals);
        String pattern = equals < 0 ? "*" : text.substring(equals + 1);
        int star = pattern.indexOf('*');
        boolean known = NAMES.contains(place) || isAttribute(place);
        if (!known || star < 0 || star != pattern.lastIndexOf('*')) {
            throw new IllegalArgumentException(
                    "expected subject.CN, with one of "
                            + String.join(", ", ATTRIBUTES)
                            + " in place of CN, or dns, email or uri, and perhaps '=' and a pattern"
                            + " with one '*', such as"
                            + " uri=spiffe://acme/*, found '"
                            + text
                            + "'");
        }
        return new CertificateRule(place, pattern.substring(0, star), pattern.substring(star + 1));
    }

    private static boolean isAttribute(String place) {
        return place.startsWith(SUBJECT)
                && ATTRIBUTES.contains(place.substring(SUBJECT.length()).toUpperCase(Locale.ROOT));
    }

    /// True if there is a place.
    public boolean isSome() {
        return !place.isEmpty();
    }

    /// Parts of a certificate's texts that count, each once.
    List<String> of(X509Certificate certificate) {
        return texts(certificate).stream()
                .map(this::part)
                .flatMap(part -> part == null ? List.<String>of().stream() : List.of(part).stream())
                .distinct()
                .toList();
    }

    private @Nullable String part(String text) {
        boolean fits =
                text.length() > before.length() + after.length()
                        && text.startsWith(before)
                        && text.endsWith(after);
        return fits ? text.substring(before.length(), text.length() - after.length()) : null;
    }

    private List<String> texts(X509Certificate certificate) {
        if (!isSome()) {
            return List.of();
        }
        try {
            return place.startsWith(SUBJECT)
                    ? ofSubject(certificate.getSubjectX500Principal())
                    : ofNames(certificate.getSubjectAlternativeNames());
        } catch (NamingException | CertificateParsingException _) {
            return List.of();
        }
    }

    private List<String> ofSubject(X500Principal subject) throws NamingException {
        String attribute = place.substring(SUBJECT.length());
        List<String> texts = new ArrayList<>();
        String text = subject.getName(X500Principal.RFC2253, FURTHER_ATTRIBUTES);
        for (Rdn rdn : new LdapName(text).getRdns()) {
            NamingEnumeration<? extends Attribute> all = rdn.toAttributes().getAll();
            while (all.hasMore()) {
                Attribute one = all.next();
                // One part of the subject may have several: CN=ann+CN=root.
                NamingEnumeration<?> values = one.getAll();
                while (one.getID().equalsIgnoreCase(attribute) && values.hasMore()) {
                    if (values.next() instanceof String value) {
                        texts.add(value);
                    }
                }
            }
        }
        return texts;
    }

    private List<String> ofNames(@Nullable Collection<List<?>> names) {
        Integer type = NAME_TYPES.get(NAMES.indexOf(place));
        List<String> texts = new ArrayList<>();
        for (List<?> name : names == null ? List.<List<?>>of() : names) {
            if (type.equals(name.get(0)) && name.get(1) instanceof String text) {
                texts.add(text);
            }
        }
        return texts;
    }

    @Override
    public String toString() {
        return before.isEmpty() && after.isEmpty() ? place : place + "=" + before + "*" + after;
    }
}
