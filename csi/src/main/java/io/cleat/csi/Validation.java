package io.cleat.csi;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/** A plugin's word on the uses it was asked about. */
public sealed interface Validation {
    /** The plugin confirms; it repeats what it understood, which the caller may compare. */
    record Confirmed(Map<String, String> volumeContext, List<VolumeUse> uses, Map<String, String> parameters)
            implements Validation {
        public Confirmed {
            volumeContext = Ordered.copyOf(volumeContext);
            uses = List.copyOf(uses);
            parameters = Ordered.copyOf(parameters);
        }
    }

    /**
     * The plugin does not confirm.
     *
     * @param message its reason; may be empty
     */
    record NotConfirmed(String message) implements Validation {}
}
