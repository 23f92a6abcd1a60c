package io.cleat.csi;

import com.google.protobuf.Message;
import io.cleat.base.Secret;
import io.cleat.base.Secrets;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * One call, ready to be made.
 *
 * @param service {@code Controller}, {@code Node} or {@code Identity}
 * @param subject what it is about, such as {@code volume "v1"}; may be empty
 * @param sought what has to be there already, such as {@code snapshot "s1"}: the subject, or what the subject is made
 *     from
 * @param changes whether it changes anything, so that its effect can be unknown
 * @param hidden values that must not show in what the plugin says
 */
record Call<Q extends Message, R extends Message, T>(
        String service,
        MethodDescriptor<Q, R> method,
        Q request,
        String subject,
        String sought,
        boolean changes,
        List<String> hidden,
        Reader<R, T> reader) {
    /** Of which whoever asks has to make room before asking again. */
    private static final Set<String> MAKING_ROOM_FIRST =
            Set.of("CreateVolume", "ControllerPublishVolume", "CreateSnapshot", "CreateVolumeGroupSnapshot");

    /** Checks a reply and takes from it what the caller wants. */
    interface Reader<R, T> {
        T read(R reply) throws BadReply, InterruptedException;
    }

    /**
     * Whether a plugin that answers this surely did nothing: a code that always says so, or one that says so of this
     * call, as RESOURCE_EXHAUSTED of CreateVolume ("unable to provision"), of ControllerPublishVolume ("max volumes
     * attached"), of CreateSnapshot and of CreateVolumeGroupSnapshot ("not enough space").
     */
    boolean isRefusedBy(CsiCode code) {
        return code.isFinal() || (code == CsiCode.RESOURCE_EXHAUSTED && MAKING_ROOM_FIRST.contains(name()));
    }

    /**
     * Whether a plugin may end by it: what changes something, or looks at a thing. What it announces is asked beside
     * all calls.
     */
    boolean isAboutSomething() {
        return changes || !subject.isEmpty();
    }

    /** The name in the specification, such as {@code CreateVolume}. */
    String name() {
        return String.valueOf(method.getBareMethodName());
    }

    /** The name that error texts of Nomad use, such as CSI.ControllerCreateVolume. */
    String title() {
        String name = name();
        if (name.equals("ValidateVolumeCapabilities")) {
            name = "ValidateVolume";
        }
        return "CSI." + (service.equals("Controller") && !name.startsWith(service) ? service : "") + name;
    }

    /** A call that changes something. */
    static <Q extends Message, R extends Message, T> Call<Q, R, T> change(
            String service,
            MethodDescriptor<Q, R> method,
            Q request,
            String subject,
            List<String> hidden,
            Reader<R, T> reader) {
        return new Call<>(service, method, request, subject, subject, true, hidden, reader);
    }

    /** This call, whose subject is made from something that has to be there already. */
    Call<Q, R, T> from(String source) {
        return new Call<>(service, method, request, subject, source, changes, hidden, reader);
    }

    /** A call that changes nothing. */
    static <Q extends Message, R extends Message, T> Call<Q, R, T> look(
            String service,
            MethodDescriptor<Q, R> method,
            Q request,
            String subject,
            List<String> hidden,
            Reader<R, T> reader) {
        return new Call<>(service, method, request, subject, subject, false, hidden, reader);
    }

    static String volume(String volumeId) {
        return "volume " + Words.quoted(volumeId);
    }

    static String snapshot(String snapshotId) {
        return "snapshot " + Words.quoted(snapshotId);
    }

    /** The values to hide of a request with these secrets alone. */
    static List<String> hidden(Secrets secrets) {
        return hidden(secrets, PublishContext.none(), List.of());
    }

    /** The values to hide of a request with these parts. */
    static List<String> hidden(Secrets secrets, PublishContext context, Collection<VolumeUse> uses) {
        List<String> values = new ArrayList<>();
        secrets.byName().values().stream().map(Secret::reveal).forEach(values::add);
        values.addAll(context.reveal().values());
        for (VolumeUse use : uses) {
            if (use.type() instanceof AccessType.Mount(String _, MountFlags flags, String _)) {
                values.addAll(flags.reveal());
            }
        }
        return values;
    }
}
