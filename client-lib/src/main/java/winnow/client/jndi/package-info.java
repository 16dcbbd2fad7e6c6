/// Names for connection factories and destinations, without a directory server.
///
/// [WinnowInitialContextFactory] reads them from the environment of an `InitialContext` or from
/// `jndi.properties` and puts them into a [LocalContext], which can be read only.
/// [WinnowObjectFactory] makes factories and destinations again from what a container's directory
/// has stored. Nothing here connects to anything or loads a class that a name asks for.
@NullMarked
package winnow.client.jndi;

import org.jspecify.annotations.NullMarked;
