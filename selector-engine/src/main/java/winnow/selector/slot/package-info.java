/// The values of a message where selectors find them: every name that selectors use has a number,
/// its slot, and every string constant a number within its slot.
///
/// [Slots] has the names and constants of the selectors of a topic; its owner thread alone changes
/// it, and all threads read it. [SlotValues] has the values of one message; every event loop has
/// one and uses it again for each message. The constants of a slot are a [ConstantTable]; it keeps
/// [ConstantTexts], which have most strings as a [StringWord] instead of an object. [KeyedHash]
/// makes hashes that no client can foresee, and [Release] is for fields that readers read without
/// locks, here and in the index.
@NullMarked
package winnow.selector.slot;

import org.jspecify.annotations.NullMarked;
