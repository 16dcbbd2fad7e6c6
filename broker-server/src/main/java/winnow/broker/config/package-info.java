/// Settings: what they are, where their values come from, how text becomes a record of typed
/// values.
///
/// [Setting] says what a record component means, and [Ranges] checks values against it.
/// [SettingSources] gathers values from a file ([YamlSettings]), the environment
/// ([EnvironmentSettings]) and options; [ConfigReader] fills a record of records with them, whose
/// component names are the keys, and describes it ([SettingInfo]). [ByteSize] is a number of bytes
/// with a unit, [NamePattern] a name with wildcards. [FileProblem] says what is wrong with a file.
@NullMarked
package winnow.broker.config;

import org.jspecify.annotations.NullMarked;
