package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.HostVolume;
import io.cleat.api.HostVolumeResponse;
import io.cleat.api.HostVolumeStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.List;

/** What the verbs about volumes do with host volumes. */
final class HostVolumeVerbs {
    private HostVolumeVerbs() {}

    static int submit(Call call, HostVolume volume, boolean create) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        HostVolumeResponse answer = create
                ? client.hostVolumes().create(volume, Params.none())
                : client.hostVolumes().register(volume, Params.none());
        HostVolume made = answer.Volume();
        call.out((create ? "==> Created host volume %s with ID %s" : "Registered host volume %s with ID %s")
                .formatted(made.Name(), made.ID()));
        if (!made.State().equals("ready")) {
            call.out("    It is "
                    + made.State()
                    + ": ready once its node lists it, as \"cleat volume status "
                    + made.ID()
                    + "\" shows");
        }
        return 0;
    }

    /** Those whose name or id begins so. */
    static List<HostVolumeStub> named(Call call, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        return call.client().hostVolumes().list(Params.none().prefix(given)).body();
    }

    static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        List<HostVolumeStub> volumes = call.client()
                .hostVolumes()
                .list(Params.none()
                        .with("node_id", call.flags().value("node").orElse(""))
                        .with("node_pool", call.flags().value("node-pool").orElse("")))
                .body();
        if (call.isForMachines() && call.machine(volumes)) {
            return 0;
        }
        if (volumes.isEmpty()) {
            // Where all volumes are asked for, those of plugins follow.
            if (call.flags().value("type").isPresent()) {
                call.say("No dynamic host volumes");
            }
        } else {
            call.out(call.title("Dynamic Host Volumes"));
            call.out(HostVolumeView.list(volumes, call.isVerbose()));
        }
        return 0;
    }

    static int show(Call call, List<HostVolumeStub> found) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        HostVolumeStub one = one(call, found);
        HostVolume volume = call.clientIn(one.Namespace())
                .hostVolumes()
                .get(one.ID(), Params.none())
                .body();
        if (call.machine(volume)) {
            return 0;
        }
        call.out(HostVolumeView.summary(volume));
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        if (volume.BlockedBy() != null) {
            call.section("Waiting", WhyView.paragraph(volume.BlockedBy().What(), volume.BlockedBy(), call.now()));
        }
        call.section("Capabilities", VolumeView.capabilities(volume.RequestedCapabilities()));
        call.section(
                "Allocations",
                AllocationsView.table(
                        volume.Allocations() == null ? List.of() : volume.Allocations(), call.isVerbose(), call.now()));
        return 0;
    }

    private static HostVolumeStub one(Call call, List<HostVolumeStub> found) throws Failure {
        String given = call.argument(0);
        List<HostVolumeStub> exact =
                found.stream().filter(volume -> volume.Name().equals(given)).toList();
        return Prefix.one(
                "host volume",
                given,
                exact.size() == 1 ? exact : found,
                volume -> exact.size() == 1 ? given : volume.ID(),
                all -> HostVolumeView.list(all, true));
    }

    static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        HostVolumeStub found = one(call, named(call, call.argument(0)));
        if (!found.ID().equals(call.argument(0))) {
            Question.typed(call, "delete host volume \"%s\" with its data".formatted(found.Name()), found.Name());
        }
        call.clientIn(found.Namespace())
                .hostVolumes()
                .delete(found.ID(), call.flags().has("force"), Params.none());
        call.out("Successfully deleted volume \"" + found.ID() + "\"!");
        return 0;
    }
}
