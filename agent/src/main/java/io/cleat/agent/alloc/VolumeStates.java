package io.cleat.agent.alloc;

import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeRequest;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the volumes of one allocation stand, by alias, and what the server is told of them. At first as the journal says.
 *
 * <p>Guarded by the lock of its {@link VolumeSteps}.
 */
final class VolumeStates {
    private final KnownAllocation allocation;
    private final NodeVolumes volumes;
    private final VolumeGrowth growth;
    private final Map<String, VolumeState> states = new TreeMap<>();

    /** What the first step of each waits for, until one is taken. */
    private @Nullable BlockedBy beginsAfter;

    VolumeStates(KnownAllocation allocation, NodeVolumes volumes, VolumeGrowth growth) {
        this.allocation = allocation;
        this.volumes = volumes;
        this.growth = growth;
        Map<String, VolumePhase> phases = volumes.phases(allocation.allocId());
        VolumePhase unwritten = allocation.ended() ? VolumePhase.UNPUBLISHED : VolumePhase.NONE;
        for (String alias : allocation.volumes().keySet()) {
            VolumePhase phase = phases.getOrDefault(alias, unwritten);
            long epoch = volumes.epoch(allocation.allocId(), alias);
            states.put(alias, new VolumeState(allocation.allocId(), alias, phase, epoch));
        }
    }

    /** How one stands. The journal may know of more than the server says. */
    VolumeState of(String alias) {
        return states.computeIfAbsent(alias, same -> new VolumeState(allocation.allocId(), alias, VolumePhase.NONE, 0));
    }

    /** Whether a step of any is under way. */
    boolean isAnyAtWork() {
        return states.values().stream().anyMatch(VolumeState::isAtWork);
    }

    /** Interrupts all steps that are under way. */
    void interruptAll() {
        states.values().forEach(VolumeState::interrupt);
    }

    /** As {@link #interruptAll}, but for one volume's. */
    void interruptOthers(String alias) {
        states.forEach((other, state) -> {
            if (!other.equals(alias)) {
                state.interrupt();
            }
        });
    }

    /** Where each is published; empty unless all are that the server says. */
    Optional<Map<String, Path>> published() {
        Map<String, Path> published = new TreeMap<>();
        states.forEach((alias, state) -> state.published().ifPresent(path -> published.put(alias, path)));
        return published.size() == allocation.volumes().size() ? Optional.of(published) : Optional.empty();
    }

    /** Where volumes are published that plugins have mounted. */
    List<Path> paths() {
        return states.entrySet().stream()
                .filter(state -> !isOfHost(state.getKey()))
                .flatMap(state -> state.getValue().published().stream())
                .toList();
    }

    /** What is mounted in a directory of the machine is not the allocation's to unmount. */
    private boolean isOfHost(String alias) {
        VolumeRequest request = allocation.taskGroup().volumes().get(alias);
        return request != null && request.isForHost();
    }

    /** @param reason what the first step of each waits for; null for nothing any more */
    void waitToBegin(@Nullable BlockedBy reason) {
        beginsAfter = reason;
    }

    /** @param reason what the end of each that has not ended waits for */
    void waitToEnd(BlockedBy reason) {
        for (VolumeState state : states.values()) {
            if (state.phase() != VolumePhase.NONE && state.phase() != VolumePhase.UNPUBLISHED) {
                state.waits(reason);
            }
        }
    }

    /** What the server is told of each that it has said. */
    Map<String, ToServer.VolumeReport> reports() {
        Map<String, ToServer.VolumeReport> reports = new TreeMap<>();
        allocation.volumes().forEach((alias, volume) -> {
            VolumeState state = of(alias);
            reports.put(
                    alias,
                    new ToServer.VolumeReport(
                            volume, state.epoch(), state.phase(), growth.done(alias), waitingFor(alias, state)));
        });
        return reports;
    }

    private @Nullable BlockedBy waitingFor(String alias, VolumeState state) {
        if (state.waitingFor() != null) {
            return state.waitingFor();
        }
        if (beginsAfter != null && state.phase() == VolumePhase.NONE) {
            return beginsAfter;
        }
        return volumes.broken(allocation.allocId(), alias).orElseGet(() -> growth.waitingFor(alias));
    }
}
