package io.cleat.cli;

import io.cleat.api.AnswerMeta;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiSnapshot;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Snapshots of volumes. */
final class SnapshotVerbs {
    private static final Flag SECRET = Flag.repeated("secret", "key=value", "A secret for the plugin.");

    /** The characters shown of a volume's id, unless full ids are wanted. */
    private static final int SHORT_VOLUME = 12;

    private SnapshotVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("volume snapshot create", "Make a snapshot of a volume")
                        .takes(2, 2, "<volume> <name>")
                        .about("Has the volume's plugin make a snapshot. The same name of the same"
                                + " volume makes the same snapshot again.")
                        .flags(
                                CallWait.DETACH,
                                SECRET,
                                Flag.repeated("parameter", "key=value", "A parameter for the plugin."),
                                Flag.VERBOSE)
                        .examples("cleat volume snapshot create data before-the-upgrade")
                        .does(SnapshotVerbs::create),
                Verb.named("volume snapshot list", "List a plugin's snapshots")
                        .about("Lists the snapshots that a plugin has, a page at a time.")
                        .flags(
                                Flag.value("plugin", "id", "The plugin; required."),
                                Flag.value("page-token", "token", "Where the page begins."),
                                Flag.value("per-page", "number", "How many at most; 30 by default."),
                                SECRET,
                                Flag.VERBOSE)
                        .examples("cleat volume snapshot list -plugin local")
                        .does(SnapshotVerbs::list),
                Verb.named("volume snapshot delete", "Delete a snapshot")
                        .takes(2, 2, "<plugin> <snapshot>")
                        .about("Has a plugin delete a snapshot. One that is gone is deleted.")
                        .flags(CallWait.DETACH, SECRET)
                        .examples("cleat volume snapshot delete local snap-7f2a")
                        .does(SnapshotVerbs::delete));
    }

    private static int create(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        CsiSnapshot wanted = new CsiSnapshot(
                0,
                "",
                "",
                false,
                call.argument(1),
                call.flags().pairs("parameter"),
                "",
                Secrets.of(call.flags().pairs("secret")),
                0,
                call.argument(0));
        CsiSnapshotRequest request = new CsiSnapshotRequest(List.of(wanted));
        CleatClient client = call.client();
        CallWait.of(
                        call,
                        client,
                        call.argument(0),
                        () -> client.volumes()
                                .createSnapshots(request, Params.none())
                                .body())
                .ifPresent(made -> call.out(table(call, made)));
        return 0;
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String plugin = call.flags().value("plugin").orElse("");
        if (plugin.isEmpty()) {
            throw new Failure("flag -plugin is required", "which there are: cleat plugin status");
        }
        CleatClient client = call.client();
        CsiSnapshotResponse page = client.volumes()
                .snapshots(
                        plugin,
                        secrets(call),
                        Params.none()
                                .page(
                                        perPage(call),
                                        call.flags().value("page-token").orElse("")))
                .body();
        if (page.Snapshots() == null || page.Snapshots().isEmpty()) {
            call.say("No snapshots");
            return 0;
        }
        call.out(table(call, page));
        if (!page.NextToken().isEmpty()) {
            call.say("Results have been paginated. To get the next page run:\n\n"
                    + "cleat volume snapshot list -plugin "
                    + plugin
                    + " -page-token "
                    + VisibleText.line(page.NextToken()));
        }
        return 0;
    }

    private static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        String plugin = call.argument(0);
        String snapshot = call.argument(1);
        Secrets secrets = secrets(call);
        CleatClient client = call.client();
        Optional<AnswerMeta> ended = CallWait.of(
                call,
                client,
                snapshot,
                () -> client.volumes().deleteSnapshot(plugin, snapshot, secrets, Params.none()));
        if (ended.isPresent()) {
            call.out("Plugin \"%s\" has no snapshot \"%s\" any more."
                    .formatted(VisibleText.line(plugin), VisibleText.line(snapshot)));
        }
        return 0;
    }

    private static int perPage(Call call) throws Failure {
        String given = call.flags().value("per-page").orElse("30");
        try {
            int number = Integer.parseInt(given);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw new Failure("flag -per-page takes a number from 1, got \"" + given + "\"");
    }

    private static Secrets secrets(Call call) throws Failure {
        Map<String, String> secrets = call.flags().pairs("secret");
        for (Map.Entry<String, String> secret : secrets.entrySet()) {
            if (secret.getValue().contains(",")) {
                throw new Failure(
                        "secret \"%s\" holds a comma, which the request cannot carry".formatted(secret.getKey()));
            }
        }
        return Secrets.of(secrets);
    }

    private static String table(Call call, CsiSnapshotResponse answer) {
        Columns columns = new Columns("Snapshot ID", "Volume ID", "Size", "Create Time", "Ready?");
        for (CsiSnapshot one : Objects.requireNonNullElse(answer.Snapshots(), List.<CsiSnapshot>of())) {
            String volume = one.ExternalSourceVolumeID();
            columns.row(
                    one.ID(),
                    call.isVerbose() ? volume : VisibleText.head(volume, SHORT_VOLUME),
                    Human.bytes(one.SizeBytes()),
                    Human.ago(Instant.ofEpochSecond(one.CreateTime()), call.now()),
                    Boolean.toString(one.IsReady()));
        }
        return columns.text();
    }
}
