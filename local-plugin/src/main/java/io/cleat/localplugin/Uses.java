package io.cleat.localplugin;

import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Who was given a volume. Stagings and publications are what was asked for; whether they are there is answered by the
 * mount table alone.
 */
record Uses(List<Attachment> attachments, List<Staging> stagings, List<Publication> publications) {
    static final Uses NONE = new Uses(List.of(), List.of(), List.of());

    Uses {
        attachments = List.copyOf(attachments);
        stagings = List.copyOf(stagings);
        publications = List.copyOf(publications);
    }

    /** ControllerPublishVolume was called for the node. */
    record Attachment(String node, Mode mode, boolean readOnly) {}

    /**
     * NodeStageVolume was called on the node.
     *
     * @param flags the mount flags, sorted
     */
    record Staging(String node, String path, List<String> flags) {
        Staging {
            flags = flags.stream().sorted().toList();
        }
    }

    /** NodePublishVolume was called on the node. */
    record Publication(String node, String path, Mode mode, boolean readOnly) {}

    Optional<Attachment> attachmentTo(String node) {
        return attachments.stream().filter(a -> a.node().equals(node)).findFirst();
    }

    Optional<Staging> stagingOn(String node) {
        return stagings.stream().filter(s -> s.node().equals(node)).findFirst();
    }

    Optional<Publication> publicationAt(String node, String path) {
        return publications.stream().filter(isAt(node, path)).findFirst();
    }

    /** With {@code attachment} in the place of an older one to its node. */
    Uses attached(Attachment attachment) {
        return new Uses(
                replace(attachments, a -> a.node().equals(attachment.node()), attachment), stagings, publications);
    }

    Uses detached(String node) {
        return new Uses(without(attachments, a -> a.node().equals(node)), stagings, publications);
    }

    /** With {@code staging} in the place of an older one on its node. */
    Uses staged(Staging staging) {
        return new Uses(attachments, replace(stagings, s -> s.node().equals(staging.node()), staging), publications);
    }

    Uses unstaged(String node) {
        return new Uses(attachments, without(stagings, s -> s.node().equals(node)), publications);
    }

    /** With {@code publication} in the place of an older one at its path. */
    Uses published(Publication publication) {
        return new Uses(
                attachments,
                stagings,
                replace(publications, isAt(publication.node(), publication.path()), publication));
    }

    Uses unpublished(String node, String path) {
        return new Uses(attachments, stagings, without(publications, isAt(node, path)));
    }

    /** Without the stagings and publications of {@code node}. */
    Uses unusedBy(String node) {
        return new Uses(
                attachments,
                without(stagings, s -> s.node().equals(node)),
                without(publications, p -> p.node().equals(node)));
    }

    private static Predicate<Publication> isAt(String node, String path) {
        return p -> p.node().equals(node) && p.path().equals(path);
    }

    private static <T> List<T> without(List<T> all, Predicate<T> gone) {
        return all.stream().filter(gone.negate()).toList();
    }

    private static <T> List<T> replace(List<T> all, Predicate<T> old, T now) {
        List<T> changed = new ArrayList<>(without(all, old));
        changed.add(now);
        return changed;
    }
}
