package winnow.broker.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Says what a record component means as a setting. It is the only place that does: the check of a
/// value ([Ranges]), `winnow config show` and `docs/SETTINGS.md` read it.
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Setting {
    /// Purpose of the setting, as a phrase without a full stop at its end.
    String value();

    /// Unit of a plain number; sizes and times have their units in the value.
    String unit() default "";

    /// Least value in the form that is read, empty for none.
    String min() default "";

    /// Largest value in the form that is read, empty for none.
    String max() default "";

    /// Meaning of 0, if it stands for something else than zero. Then it is always allowed.
    String zero() default "";

    /// Name of the record's method that tells the value in force where 0 is computed, empty where
    /// it is the value itself.
    String effective() default "";

    /// True if a new value takes effect without a restart.
    boolean reloadable() default false;

    /// True if nobody should read the value.
    boolean secret() default false;
}
