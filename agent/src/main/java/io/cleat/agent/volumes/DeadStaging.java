package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A staging whose mount is gone, or was held by a process of the plugin that is gone, as of a FUSE file system: what is
 * published from it is dead from the first moment, or shows the bare directory below. So it goes, and comes anew,
 * before anything more is published. Called with the volume's turn.
 */
final class DeadStaging {
    private final VolumeParts parts;
    private final Unmounting unmounting;
    private final VisibleMounts mounts;
    private final DeadMounts dead;

    DeadStaging(VolumeParts parts, Unmounting unmounting) {
        this.parts = parts;
        this.unmounting = unmounting;
        this.mounts = new VisibleMounts(parts.mounts());
        this.dead = new DeadMounts(parts);
    }

    /**
     * Undoes the volume's staging if it is dead and only this claim has it.
     *
     * @throws StepBlocked while others have it, or it is not known whether it is dead
     */
    void undo(GrantedClaim claim, VolumeKey key) throws StepBlocked, InterruptedException {
        VolumeRecord record = parts.journal().volume(key);
        Staging staging = record.staging();
        if (staging == null) {
            return;
        }
        List<Use> others = record.uses().stream()
                .filter(use -> !use.is(claim.allocId(), claim.alias()))
                .toList();
        if (isGone(staging) && others.isEmpty()) {
            end(record, key, claim, staging);
            return;
        }
        if (!staging.isStagedIn(parts.boot()) || !isDead(claim, staging)) {
            return;
        }
        if (!others.isEmpty()) {
            throw StepBlocked.volume(
                    "stage",
                    "the staging of volume \""
                            + claim.volume().id()
                            + "\" at "
                            + staging.hostPath()
                            + ", which is dead: the process of plugin \""
                            + claim.pluginId()
                            + "\" that held it is gone, and "
                            + others.stream()
                                    .map(use -> "allocation " + use.allocId())
                                    .distinct()
                                    .sorted()
                                    .collect(Collectors.joining(", "))
                            + " has it too",
                    "it is staged anew when the last of these has stopped, or when their mounts are"
                            + " mounted anew, where the plugin's on_mount_loss says so");
        }
        end(record, key, claim, staging);
    }

    private void end(VolumeRecord record, VolumeKey key, GrantedClaim claim, Staging staging)
            throws StepBlocked, InterruptedException {
        if (record.uses().isEmpty()) {
            unmounting.keep(record.with(staging.at(Staging.Phase.UNSTAGING)));
            unmounting.unstage(key);
        } else {
            // Its last user takes the staging with it.
            unmounting.unpublish(key, claim.allocId(), claim.alias());
        }
    }

    /**
     * Whether something was mounted there, and is not any more: the plugin, which may keep in mind that it has staged,
     * is told that this is over. Under others it is staged once more, and looked at.
     */
    private boolean isGone(Staging staging) throws StepBlocked {
        try {
            return staging.hasMountedIn(parts.boot()) && !mounts.isMounted(staging.host());
        } catch (KernelTrouble unknown) {
            throw StepBlocked.unread("stage", unknown);
        }
    }

    private boolean isDead(GrantedClaim claim, Staging staging) throws StepBlocked, InterruptedException {
        try {
            return dead.isDead(claim.pluginId(), staging.host());
        } catch (KernelTrouble unknown) {
            throw StepBlocked.unread("stage", unknown);
        }
    }
}
