package io.cleat.agent.volumes;

import io.cleat.base.Sha256;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Mount;
import io.cleat.model.AccessMode;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The staging of a volume on this node, as sent.
 *
 * @param volume under which the path was made
 * @param hostPath on the host
 * @param pluginPath as the plugin was told
 * @param options a digest of file system and mount flags, which may hold credentials
 * @param bootId of the boot in which it was sent last
 * @param mounted what was mounted there once it was staged, such as {@code ext4 7:0}; null for nothing, and where that
 *     was not written down
 */
record Staging(
        VolumeId volume,
        Phase phase,
        String hostPath,
        String pluginPath,
        VolumeModes modes,
        String options,
        String bootId,
        @Nullable String mounted) {
    /** One to which nothing was sent yet. */
    Staging(VolumeId volume, String hostPath, String pluginPath, VolumeModes modes, String options, String bootId) {
        this(volume, Phase.PREPARING, hostPath, pluginPath, modes, options, bootId, null);
    }

    enum Phase {
        /** Directories may have been made; nothing was sent. */
        PREPARING,
        /** NodeStageVolume was sent: from here on NodeUnstageVolume is owed. */
        STAGING,
        /** NodeStageVolume answered OK. */
        STAGED,
        /** NodeUnstageVolume was or is about to be sent. */
        UNSTAGING,
        /** NodeUnstageVolume answered OK; the directory may be there. */
        UNSTAGED,
        /** It was prepared, and is not wanted; nothing was ever sent. */
        DROPPED
    }

    Staging at(Phase next) {
        return new Staging(volume, next, hostPath, pluginPath, modes, options, bootId, mounted);
    }

    /** It is staged, and this is mounted there. */
    Staging staged(Optional<Mount> mount) {
        return new Staging(
                volume,
                Phase.STAGED,
                hostPath,
                pluginPath,
                modes,
                options,
                bootId,
                mount.map(there -> there.fsType() + " " + there.device()).orElse(null));
    }

    Staging inBoot(String boot) {
        return new Staging(volume, phase, hostPath, pluginPath, modes, options, boot, mounted);
    }

    boolean isStagedIn(BootId boot) {
        return phase == Phase.STAGED && bootId.equals(boot.value());
    }

    /** Whether something was mounted there, and was asked for in this boot, perhaps once more. */
    boolean hasMountedIn(BootId boot) {
        return mounted != null && (phase == Phase.STAGING || phase == Phase.STAGED) && bootId.equals(boot.value());
    }

    /** Whether what was mounted there is that file system. */
    boolean isOn(Mount.Device device) {
        return mounted != null && mounted.endsWith(" " + device);
    }

    boolean isOver() {
        return phase == Phase.UNSTAGING || phase == Phase.UNSTAGED || phase == Phase.DROPPED;
    }

    /** Whether its directory is not one to be removed. */
    boolean needsDirectory() {
        return phase != Phase.UNSTAGED && phase != Phase.DROPPED;
    }

    Path host() {
        return Path.of(hostPath);
    }

    /**
     * Whether a claim can be published from this staging: the same kind of attachment and the same options, staged for
     * the same access or for more.
     */
    boolean covers(GrantedClaim claim) {
        AccessMode staged = modes.access();
        AccessMode wanted = claim.modes().access();
        return modes.attachment() == claim.modes().attachment()
                && options.equals(digest(claim.mountOptions()))
                && (staged == wanted || (staged.allowsWriting() && !wanted.allowsWriting()));
    }

    static String digest(MountOptions options) {
        MessageDigest digest = Sha256.begin();
        digest.update(options.fsType().getBytes(StandardCharsets.UTF_8));
        for (String flag : options.flags()) {
            digest.update((byte) 0);
            digest.update(flag.getBytes(StandardCharsets.UTF_8));
        }
        // Of what is wanted of its topmost directory, a plugin that mounts for a group is told the
        // group.
        if (!options.mountGroup().isEmpty()) {
            digest.update((byte) 1);
            digest.update(options.mountGroup().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
