/// Connection factories of Winnow for Spring Boot 3.5 and 4.
///
/// [WinnowAutoConfiguration] makes the bean, with a cache or a pool, from [WinnowProperties]. Where
/// the broker is comes from [WinnowConnectionDetails]: the properties say it, or a container.
/// [FactoryOfProperties] puts both together.
@NullMarked
package winnow.spring;

import org.jspecify.annotations.NullMarked;
