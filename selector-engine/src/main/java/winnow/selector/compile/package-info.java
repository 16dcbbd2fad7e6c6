/// Expression to executable predicate. UNKNOWN exists only here, at compile time: with `T(e)` = "e
/// is TRUE" and `F(e)` = "e is FALSE",
///
/// ```
/// T(a AND b) = T(a) & T(b)      F(a AND b) = F(a) | F(b)
/// T(a OR b)  = T(a) | T(b)      F(a OR b)  = F(a) & F(b)
/// T(NOT a)   = F(a)             F(NOT a)   = T(a)
/// ```
///
/// turn every selector into a monotone two-valued formula over T and F of its atoms, which may stop
/// early and be reordered freely. [SelectorCompiler] does this and [AtomCompiler] the atoms; the
/// other classes are the closures: small, final, without allocation, and never throwing. Closures
/// that are evaluated often are replaced by an instance of a class that [ShapeClasses] makes for
/// all of their [Shape].
///
/// Compiling belongs to the writer of the [winnow.selector.slot.Slots]; a [Predicate] to any
/// thread.
@NullMarked
package winnow.selector.compile;

import org.jspecify.annotations.NullMarked;
