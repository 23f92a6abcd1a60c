package io.cleat.agent.volumes;

import io.cleat.base.Deadline;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.VolumeCondition;
import io.cleat.csi.VolumeStats;
import io.cleat.model.VolumeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How full the volumes of an allocation are, as their plugins say (CSI NodeGetVolumeStats). Asks when it is asked, and
 * keeps nothing. Any thread.
 */
public final class VolumeUsage {
    /** For all volumes of an allocation together. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final VolumeParts parts;

    public VolumeUsage(VolumeParts parts) {
        this.parts = parts;
    }

    /** What is reserved makes used and available less than the total. */
    public record Amount(long available, long total, long used) {}

    /**
     * A published volume.
     *
     * @param bytes empty where its plugin does not tell
     * @param inodes empty where its plugin does not tell, or there are none
     * @param abnormal whether its plugin says that something is wrong with it
     * @param condition in the plugin's words; empty if it says nothing
     * @param trouble why nothing is known; empty if something is
     */
    public record Seen(
            VolumeId volume,
            Optional<Amount> bytes,
            Optional<Amount> inodes,
            boolean abnormal,
            String condition,
            String trouble) {}

    /** The published volumes of an allocation by alias. */
    public Map<String, Seen> of(String allocId) throws InterruptedException {
        Deadline deadline = Deadline.in(parts.time(), LONGEST);
        Map<String, Seen> byAlias = new TreeMap<>();
        for (VolumeRecord record : parts.journal().volumes()) {
            for (Use use : record.uses()) {
                if (use.allocId().equals(allocId) && use.phase() == Use.Phase.PUBLISHED) {
                    byAlias.put(use.alias(), ask(record, use, deadline));
                }
            }
        }
        return byAlias;
    }

    private Seen ask(VolumeRecord record, Use use, Deadline deadline) throws InterruptedException {
        Optional<NodePlugin> plugin = parts.plugins().current(record.pluginId());
        if (plugin.isEmpty()) {
            return unknown(use, "plugin " + record.pluginId() + " is not there");
        }
        Staging staging = record.staging();
        try {
            VolumeStats stats = plugin.get()
                    .client()
                    .stats(
                            record.externalId(),
                            use.pluginPath(),
                            staging == null ? "" : staging.pluginPath(),
                            deadline);
            return new Seen(
                    use.volume(),
                    stats.bytes().map(VolumeUsage::amount),
                    stats.inodes().map(VolumeUsage::amount),
                    stats.condition().map(VolumeCondition::abnormal).orElse(false),
                    stats.condition().map(VolumeCondition::message).orElse(""),
                    "");
        } catch (CsiTrouble trouble) {
            return unknown(use, trouble.reason());
        }
    }

    private static Seen unknown(Use use, String why) {
        return new Seen(use.volume(), Optional.empty(), Optional.empty(), false, "", why);
    }

    private static Amount amount(VolumeStats.Usage usage) {
        return new Amount(usage.available(), usage.total(), usage.used());
    }
}
