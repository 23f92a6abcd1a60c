package io.cleat.api;

import io.cleat.base.TextRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is wrong with a namespace that somebody wants. */
public final class NamespaceValidation {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9-]{1,128}");
    private static final int LONGEST_DESCRIPTION = 256;
    private static final int MOST_ENTRIES = 100;
    private static final int LONGEST_ENTRY = 256;

    private NamespaceValidation() {}

    /** All of it; empty for one that can be made. */
    public static List<String> faults(Namespace wanted) {
        List<String> faults = new ArrayList<>();
        if (!NAME.matcher(wanted.Name()).matches()) {
            faults.add("invalid name "
                    + TextRule.quoted(wanted.Name())
                    + ": a namespace's name has 1 to 128 letters, digits and dashes");
        }
        if (wanted.Description().length() > LONGEST_DESCRIPTION) {
            faults.add(
                    "description has " + wanted.Description().length() + " characters, at most " + LONGEST_DESCRIPTION);
        }
        if (!wanted.Quota().isEmpty()) {
            faults.add("quotas are not supported: leave out quota");
        }
        unsupported("node_pool_config", wanted.NodePoolConfiguration(), faults);
        unsupported("vault", wanted.VaultConfiguration(), faults);
        unsupported("consul", wanted.ConsulConfiguration(), faults);
        texts("meta", entries(wanted.Meta()), faults);
        NamespaceCapabilities capabilities = wanted.Capabilities();
        if (capabilities != null) {
            texts("enabled_task_drivers", orEmpty(capabilities.EnabledTaskDrivers()), faults);
            texts("disabled_task_drivers", orEmpty(capabilities.DisabledTaskDrivers()), faults);
            if (!orEmpty(capabilities.EnabledNetworkModes()).isEmpty()
                    || !orEmpty(capabilities.DisabledNetworkModes()).isEmpty()) {
                faults.add("network modes are not supported: leave them out of capabilities");
            }
        }
        return faults;
    }

    private static void unsupported(String what, @Nullable RawJson given, List<String> faults) {
        if (given != null && !given.isEmpty()) {
            faults.add(what + " is not supported: leave it out");
        }
    }

    private static List<String> entries(@Nullable Map<String, String> meta) {
        List<String> texts = new ArrayList<>();
        if (meta != null) {
            meta.forEach((key, value) -> texts.addAll(List.of(key, value)));
        }
        return texts;
    }

    private static void texts(String what, List<String> given, List<String> faults) {
        if (given.size() > MOST_ENTRIES) {
            faults.add(what + " has " + given.size() + " texts, at most " + MOST_ENTRIES);
        }
        for (String text : given) {
            if (text.length() > LONGEST_ENTRY) {
                faults.add(what
                        + " has "
                        + TextRule.quoted(text)
                        + " of "
                        + text.length()
                        + " characters, at most "
                        + LONGEST_ENTRY);
            }
        }
    }

    private static List<String> orEmpty(@Nullable List<String> list) {
        return list == null ? List.of() : list;
    }
}
