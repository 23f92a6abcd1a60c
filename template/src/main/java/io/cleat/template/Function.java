package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function that templates may call beside the built-in ones. */
@FunctionalInterface
public interface Function {
    /**
     * @param arguments plain values; what was piped in is the last
     * @throws Refused they are not what the function takes: said with the place of the call
     */
    @Nullable
    Object call(List<@Nullable Object> arguments, Meter meter) throws Refused;
}
