package io.cleat.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What tells a node that has booted from a copy of it. The boot it is in, and its machine's marks, are in its facts.
 *
 * @param overBoots the last boots that counted as over, oldest first: one that comes back was not
 * @param quarantine of who came as this node and was not let in; null if there is none, or a person has decided
 */
public record NodeProof(List<String> overBoots, @Nullable Quarantine quarantine) {
    /** How many boots are kept. */
    public static final int BOOTS_KEPT = 8;

    public static final NodeProof NONE = new NodeProof(List.of(), null);

    public NodeProof {
        overBoots = List.copyOf(overBoots);
    }

    /** That boot is over; the oldest one is forgotten. */
    public NodeProof over(String bootId) {
        List<String> all = new ArrayList<>(overBoots);
        all.remove(bootId);
        all.add(bootId);
        return new NodeProof(all.subList(Math.max(0, all.size() - BOOTS_KEPT), all.size()), quarantine);
    }

    public NodeProof with(@Nullable Quarantine newQuarantine) {
        return new NodeProof(overBoots, newQuarantine);
    }

    /** As if that boot had never been over. */
    public NodeProof goesOn(String bootId) {
        return new NodeProof(
                overBoots.stream().filter(boot -> !boot.equals(bootId)).toList(), quarantine);
    }
}
