package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeFacts;
import io.cleat.state.NodeRow;
import io.cleat.state.Quarantine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether who comes with a node's id and secret is the machine that the node was. A machine image has both in it, so
 * they prove nothing; and if a copy counted as the machine that has booted, what the first one still writes to would be
 * granted to others.
 */
final class MachineProof {
    private static final Map<String, String> MARKS = Ordered.ofEntries(
            Map.entry(MachinePrint.OS, "machine id"),
            Map.entry(MachinePrint.BOARD, "board id"),
            Map.entry(MachinePrint.DISK, "disk"),
            Map.entry(MachinePrint.FILE_SYSTEM, "file system"),
            Map.entry(MachinePrint.DIRECTORY, "data directory"));

    private MachineProof() {}

    /**
     * Why this may be another machine than the node's.
     *
     * @param formerAnswers whether somebody answers on a link that was opened in another boot
     * @return empty if it is the node; then its former boot, if it was another, is over
     */
    static Optional<String> doubt(NodeRow known, NodeFacts comes, boolean formerAnswers) {
        MachinePrint print = MachinePrint.of(comes);
        List<String> differences = MachinePrint.of(known.facts()).differences(print);
        if (!differences.isEmpty()) {
            return Optional.of("it came from another machine or place: another "
                    + String.join(
                            " and ",
                            differences.stream()
                                    .map(name -> MARKS.getOrDefault(name, name))
                                    .toList()));
        }
        if (comes.bootId().equals(known.facts().bootId())) {
            return Optional.empty();
        }
        if (known.proof().overBoots().contains(comes.bootId())) {
            return Optional.of(
                    "boot " + comes.bootId() + " is back, and another boot came after it: two machines take turns");
        }
        if (formerAnswers) {
            return Optional.of("it came from boot "
                    + comes.bootId()
                    + ", and boot "
                    + known.facts().bootId()
                    + " still answers");
        }
        Quarantine quarantine = known.proof().quarantine();
        return quarantine == null || quarantine.machine().differsFrom(print)
                ? Optional.empty()
                : Optional.of(quarantine.why());
    }

    /** What who is not let in is told, and what the server's log says. */
    static String refusal(NodeRow node, String why) {
        return "node "
                + node.name()
                + " is quarantined: "
                + why
                + ". Nothing on this machine was touched, and nothing that the node holds was freed."
                + " If this is a copy of the node, stop its agent, remove the directory client from"
                + " its data directory so that it becomes a node of its own, and then say: cleat"
                + " node quarantine -dismiss "
                + node.id()
                + ". If the node has moved here, switch the other machine off and then say: cleat"
                + " node quarantine -accept -machine-is-off="
                + node.name()
                + " "
                + node.id()
                + " (docs/other-past.md)";
    }
}
