package winnow.spring;

import winnow.client.WinnowConnectionFactory;

/// Changes the connection factory before it is used. A bean of this type is called after all
/// properties are set.
@FunctionalInterface
public interface WinnowConnectionFactoryCustomizer {
    /// Changes it.
    void customize(WinnowConnectionFactory factory);
}
