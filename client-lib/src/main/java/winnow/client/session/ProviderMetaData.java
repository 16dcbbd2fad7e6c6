package winnow.client.session;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import winnow.wire.ProductVersion;

/// Result of `Connection.getMetaData`. Immutable.
final class ProviderMetaData implements ConnectionMetaData {
    private static final List<String> JMSX_NAMES =
            List.of("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");

    @Override
    public String getJMSVersion() {
        return "3.1";
    }

    @Override
    public int getJMSMajorVersion() {
        return 3;
    }

    @Override
    public int getJMSMinorVersion() {
        return 1;
    }

    @Override
    public String getJMSProviderName() {
        return "Winnow";
    }

    @Override
    public String getProviderVersion() {
        return ProductVersion.text();
    }

    @Override
    public int getProviderMajorVersion() {
        return ProductVersion.major();
    }

    @Override
    public int getProviderMinorVersion() {
        return ProductVersion.minor();
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(JMSX_NAMES);
    }
}
