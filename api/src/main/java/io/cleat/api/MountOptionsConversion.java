package io.cleat.api;

import io.cleat.base.TextRule;
import io.cleat.model.MountOptions;
import io.cleat.model.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a volume is mounted, from JSON to the model and back. Users and groups are numbers: that is what a file system
 * keeps, and a name is another number on another machine.
 */
public final class MountOptionsConversion {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,9}");
    private static final long MOST = 0xfffffffeL;

    /** Without the bit of another user, which means nothing of a directory. */
    private static final Pattern MODE = Pattern.compile("0?[0-3]?[0-7]{3}");

    private static final int OCTAL = 8;

    private MountOptionsConversion() {}

    /** What is no option. */
    static List<String> faults(@Nullable CsiMountOptions given) {
        List<String> faults = new ArrayList<>();
        if (given != null) {
            var _ = ownership(given, faults::add);
        }
        return faults;
    }

    /** What has faults is not said. */
    static MountOptions toModel(@Nullable CsiMountOptions given) {
        return given == null
                ? MountOptions.NONE
                : new MountOptions(
                        given.FSType(),
                        JobConversion.listOf(given.MountFlags()),
                        given.MountFlags() != null && given.MountFlags().isEmpty(),
                        ownership(given, fault -> {}));
    }

    private static Ownership ownership(CsiMountOptions given, Consumer<String> faults) {
        return new Ownership(
                id("owner", given.Owner(), faults), id("group", given.Group(), faults), mode(given.Mode(), faults));
    }

    private static @Nullable Long id(String field, String text, Consumer<String> faults) {
        if (text.isEmpty()) {
            return null;
        }
        long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : MOST + 1;
        if (number > MOST) {
            faults.accept("mount_options: %s is %s; expected a number from 0 to %d, since names differ between machines"
                    .formatted(field, TextRule.quoted(text), MOST));
            return null;
        }
        return number;
    }

    private static @Nullable Integer mode(String text, Consumer<String> faults) {
        if (text.isEmpty()) {
            return null;
        }
        if (!MODE.matcher(text).matches()) {
            faults.accept("mount_options: mode is %s; expected octal digits from 000 to 3777, such as 0750"
                    .formatted(TextRule.quoted(text)));
            return null;
        }
        return Integer.parseInt(text, OCTAL);
    }

    /** With the flags, which may be secret. */
    public static CsiMountOptions toJson(MountOptions options) {
        Ownership ownership = options.ownership();
        return new CsiMountOptions(
                options.fsType(),
                options.flags().isEmpty() && !options.noFlags() ? null : options.flags(),
                ownership == null ? "" : text(ownership.gid()),
                ownership == null || ownership.mode() == null
                        ? ""
                        : String.format(Locale.ROOT, "%04o", ownership.mode()),
                ownership == null ? "" : text(ownership.uid()));
    }

    private static String text(@Nullable Long number) {
        return number == null ? "" : number.toString();
    }
}
