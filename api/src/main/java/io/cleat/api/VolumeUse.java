package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * How full a volume of an allocation is, as its plugin says.
 *
 * @param Abnormal whether its plugin says that something is wrong with it
 * @param Bytes null where the plugin does not tell
 * @param Condition in the plugin's words; empty if it says nothing
 * @param Inodes null where the plugin does not tell, or there are none
 * @param Trouble why nothing is known; empty if something is
 */
public record VolumeUse(
        boolean Abnormal,
        @Nullable Amount Bytes,
        String Condition,
        @Nullable Amount Inodes,
        String Namespace,
        String Trouble,
        String VolumeID) {
    /** What is reserved makes used and available less than the total. */
    public record Amount(long Available, long Total, long Used) {}
}
