package io.cleat.cli;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.ExternalVolume;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.HostVolumeStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeWhy;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be asked about volumes, and done to registered ones. */
final class VolumeVerbs {
    private static final Flag TYPE = Flag.value("type", "csi|host", "The kind of volume: of a plugin, or of a node.");
    private static final Flag YES = Flag.yes("yes", "Do not ask.");

    /** How many volumes are asked for at once: there may be more than this program has memory for. */
    private static final int PAGE = 1000;

    private VolumeVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("volume init", "Write a volume file to start from")
                        .takes(0, 1, "[file]")
                        .about("Writes an example of a volume file, volume.hcl (or volume.json with"
                                + " -json) unless a name is given. A file that exists is left"
                                + " alone.")
                        .flags(TYPE, Flag.yes("json", "Write JSON."))
                        .examples("cleat volume init", "cleat volume init -json data.json")
                        .does(VolumeVerbs::init),
                Verb.named("volume status", "List volumes, or show one")
                        .takes(0, 1, "[volume]")
                        .about("Without an argument lists volumes, and the calls that make or delete"
                                + " one and have no known end; with an id, or the beginning of"
                                + " one, shows that volume and the allocations that use it.")
                        .flags(
                                TYPE,
                                Flag.value("node", "id", "Only volumes used on this node."),
                                Flag.value("node-pool", "pool", "Only host volumes of this pool."),
                                Flag.SHORT,
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples(
                                "cleat volume status",
                                "cleat volume status -verbose data",
                                "cleat volume status -type=host")
                        .does(VolumeVerbs::status),
                Verb.named("volume why", "Say why a volume is as it is")
                        .takes(1, 1, "<volume>")
                        .about("Shows who holds or waits for a volume, for what, since when, and what"
                                + " happens next, with the last calls made for it.")
                        .flags(Flag.VERBOSE, Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat volume why data")
                        .does(VolumeVerbs::why),
                Verb.named("volume events", "List the last calls made for a volume")
                        .takes(1, 1, "<volume>")
                        .about("Lists the last 50 calls to the plugin about a volume, and decisions"
                                + " about it, oldest first: when, on which node, with which"
                                + " result, how long it took.")
                        .flags(
                                Flag.yes("watch", "Go on, and print each as it comes."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat volume events data", "cleat volume events -watch data")
                        .does(VolumeVerbs::events),
                Verb.named("volume deregister", "Forget a volume; its data stays")
                        .takes(1, 1, "<volume>")
                        .about("Forgets a volume. Its plugin is not called and the storage stays. A volume in use is "
                                + "refused.")
                        .flags(
                                Flag.yes(
                                        "force",
                                        "Also drop the claims of ended allocations. Asks first on a terminal."),
                                YES)
                        .examples("cleat volume deregister data", "cleat volume deregister -force -yes data")
                        .does(VolumeVerbs::deregister),
                Verb.named("volume delete", "Destroy a volume and its data")
                        .takes(1, 1, "<volume>")
                        .about("Has the plugin destroy the storage, then forgets the volume. A volume"
                                + " in use is refused before any call. Where only the beginning"
                                + " of its name is given, the name has to be typed.\n\n"
                                + "With -type=host a node deletes a host volume that it made, and forgets one "
                                + "that was registered.")
                        .flags(
                                TYPE,
                                CallWait.DETACH,
                                Flag.yes("force", "Forget a host volume whose node is not known any more."),
                                Flag.value("yes", "volume", "The name, instead of typing it."),
                                Flag.repeated(
                                        "secret", "key=value", "A secret for the plugin, laid over the stored ones."))
                        .examples("cleat volume delete data", "cleat volume delete -type=host 6b6b8a4e")
                        .does(VolumeVerbs::delete),
                Verb.named("volume detach", "Release what ended allocations hold on a node")
                        .takes(2, 2, "<volume> <node>")
                        .about("Asks for the release of what ended allocations on a node still hold of"
                                + " a volume. Where nothing holds it, the plugin is asked to"
                                + " detach it all the same, in case the provider has it"
                                + " attached since before the server was restored.\n\n"
                                + "With -abandon a release whose outcome stays unknown is given"
                                + " up: you vouch that the node no longer writes. If it still"
                                + " does, two writers destroy the data. The volume's name has"
                                + " to be typed, and the decision is recorded. Of a node that"
                                + " can be heard, it takes the word that its machine is off,"
                                + " too, and nothing is given up that the node says is in use.")
                        .flags(
                                Flag.yes("abandon", "Give the release up."),
                                QuarantineVerbs.MACHINE_IS_OFF,
                                Flag.value("yes", "volume", "The name, instead of typing it."))
                        .examples(
                                "cleat volume detach data 2ac3ba71",
                                "cleat volume detach -abandon -yes=data data 2ac3ba71",
                                "cleat volume detach -abandon -machine-is-off=web-1 data 2ac3ba71")
                        .does(VolumeVerbs::detach));
    }

    private static int init(Call call) throws Failure, IOException {
        boolean isHost = isHost(call);
        boolean json = call.flags().has(Flag.JSON);
        String name = call.argument().orElse(json ? "volume.json" : "volume.hcl");
        Path file = call.environment().directory().resolve(name);
        if (Files.exists(file)) {
            throw new Failure("there is a file " + name + " already", "another name: cleat volume init NAME");
        }
        Files.writeString(file, VolumeExample.text(isHost, json), StandardCharsets.UTF_8);
        call.out("Example volume specification written to " + name);
        return 0;
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        boolean isHost = isHost(call);
        boolean isAny = call.flags().value("type").isEmpty();
        if (call.argument().isEmpty()) {
            if (isHost || (isAny && !call.isForMachines())) {
                HostVolumeVerbs.list(call);
            }
            return isHost ? 0 : list(call);
        }
        if (isHost || isAny) {
            List<HostVolumeStub> found = HostVolumeVerbs.named(call, call.argument(0));
            if (isHost || !found.isEmpty()) {
                return HostVolumeVerbs.show(call, found);
            }
        }
        List<VolumeOperation> calls = OperationsView.pending(call.client(), call.argument(0));
        if (!calls.isEmpty() && isUnregistered(call)) {
            if (!call.machine(OperationsView.alone(call.argument(0), calls))) {
                call.out(OperationsView.unregistered(call.argument(0), calls, call.now()));
            }
            return 0;
        }
        CsiVolumeStub found = find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        CsiVolume volume = client.volumes().get(found.ID(), Params.none()).body();
        if (call.isForMachines()) {
            call.machine(OperationsView.with(
                    VolumeUsageView.with(client, volume), OperationsView.pending(client, found.ID())));
            return 0;
        }
        call.out(VolumeView.summary(volume));
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        call.section("Topologies", VolumeView.topologies(volume.Topologies()));
        call.section("Capabilities", VolumeView.capabilities(volume.RequestedCapabilities()));
        call.section("Allocations", AllocationsView.table(volume.Allocations(), call.isVerbose(), call.now()));
        call.section("Usage", VolumeUsageView.table(client, volume, call.isVerbose()));
        call.section(
                "Waiting",
                Waits.tell(client, found.ID())
                        .map(why -> WhyView.waiting(why, call.isVerbose(), call.now()))
                        .orElse(""));
        return 0;
    }

    /** Of the argument, exactly as it is. */
    private static boolean isUnregistered(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        String id = call.argument(0);
        return call.client().volumes().list(Params.none().prefix(id)).body().stream()
                .noneMatch(volume -> volume.ID().equals(id));
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CleatClient client = call.client();
        Params wanted = Params.none().with("node_id", call.flags().value("node").orElse(""));
        List<VolumeOperation> calls =
                call.flags().value("node").isEmpty() ? OperationsView.pending(client, "") : List.of();
        if (call.isForMachines()) {
            List<CsiVolumeStub> all = client.volumes().list(wanted).body();
            call.machine(calls.isEmpty() ? all : OperationsView.with(all, calls));
            return 0;
        }
        Answer<List<CsiVolumeStub>> page = client.volumes().list(wanted.page(PAGE, ""));
        if (page.body().isEmpty()) {
            call.say("No CSI volumes");
        } else {
            call.out(call.title("Container Storage Interface"));
            call.out(VolumeView.list(page.body()));
        }
        while (!page.meta().nextToken().isEmpty()) {
            page = client.volumes().list(wanted.page(PAGE, page.meta().nextToken()));
            call.out(VolumeView.list(page.body()));
        }
        call.section("Operations", OperationsView.table(calls, call.isVerbose(), call.now()));
        if (call.isVerbose()) {
            external(call, client);
        }
        return 0;
    }

    /** What each plugin that lists volumes says it has, registered here or not. */
    private static void external(Call call, CleatClient client) throws UnexpectedAnswer, LinkTrouble {
        for (CsiPluginStub plugin : client.plugins().list(Params.none()).body()) {
            if (plugin.ControllersHealthy() == 0) {
                continue;
            }
            List<ExternalVolume> volumes = new ArrayList<>();
            String next = "";
            do {
                ExternalVolumeResponse page;
                try {
                    page = client.volumes()
                            .external(plugin.ID(), Params.none().page(30, next))
                            .body();
                } catch (UnexpectedAnswer refused) {
                    call.say(VisibleText.line(
                            "plugin %s does not list its volumes: %s".formatted(plugin.ID(), refused.body())));
                    break;
                }
                if (page.Volumes() != null) {
                    volumes.addAll(page.Volumes());
                }
                next = page.NextToken();
            } while (!next.isEmpty());
            if (!volumes.isEmpty()) {
                call.section("Volumes of plugin " + plugin.ID(), VolumeView.external(volumes));
            }
        }
    }

    private static int why(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        // One that is being made is in no list.
        Optional<VolumeWhy> exact = Waits.tell(call.client(), call.argument(0));
        VolumeWhy why = exact.isPresent() ? exact.get() : whyFound(call);
        if (!call.machine(why)) {
            call.out(WhyView.text(why, call.isVerbose(), call.now(), call.zone()));
        }
        return 0;
    }

    private static VolumeWhy whyFound(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        CsiVolumeStub found = find(call, call.argument(0));
        return call.clientIn(found.Namespace())
                .volumes()
                .why(found.ID(), Params.none())
                .body();
    }

    private static int events(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        CsiVolumeStub found = find(call, call.argument(0));
        VolumeEvents events = new VolumeEvents(call, call.clientIn(found.Namespace()), found.ID());
        return call.flags().has("watch") ? events.watch() : events.list();
    }

    private static int deregister(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        boolean force = call.flags().has("force");
        CsiVolumeStub found = find(call, call.argument(0));
        if (force
                && !call.flags().has(YES)
                && call.environment().terminal().canAsk()
                && !Question.yes(call, "Are you sure you want to force deregister volume \"" + found.ID() + "\"?")) {
            throw new Failure("not confirmed: nothing was changed");
        }
        call.clientIn(found.Namespace()).volumes().deregister(found.ID(), force, Params.none());
        call.out("Successfully deregistered volume \"" + found.ID() + "\"!");
        return 0;
    }

    private static int delete(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, IOException, InterruptedException {
        if (isHost(call)) {
            return HostVolumeVerbs.delete(call);
        }
        Map<String, String> secrets = call.flags().pairs("secret");
        for (Map.Entry<String, String> secret : secrets.entrySet()) {
            if (secret.getValue().contains(",")) {
                throw new Failure(
                        "secret \"%s\" holds a comma, which the request cannot carry".formatted(secret.getKey()),
                        "store it with the volume first: cleat volume register FILE");
            }
        }
        CsiVolumeStub found = find(call, call.argument(0));
        if (!found.ID().equals(call.argument(0))) {
            Question.typed(call, "delete volume \"%s\" with its data".formatted(found.ID()), found.ID());
        }
        CleatClient client = call.clientIn(found.Namespace());
        Optional<AnswerMeta> ended = CallWait.of(
                call,
                client,
                found.ID(),
                () -> client.volumes().delete(found.ID(), Secrets.of(secrets), Params.none()));
        if (ended.isPresent()) {
            call.out("Successfully deleted volume \"" + found.ID() + "\"!");
        }
        return 0;
    }

    private static int detach(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        boolean abandon = call.flags().has("abandon");
        CsiVolumeStub found = find(call, call.argument(0));
        String node = NodeVerbs.idOrGiven(call, call.argument(1));
        if (abandon) {
            Question.typed(
                    call, "abandon the release of volume \"%s\" on node %s".formatted(found.ID(), node), found.ID());
        }
        String machineIsOff =
                call.flags().value(QuarantineVerbs.MACHINE_IS_OFF.name()).orElse("");
        if (!abandon && !machineIsOff.isEmpty()) {
            throw new Failure("-machine-is-off is a word for -abandon: give both");
        }
        call.clientIn(found.Namespace()).volumes().detach(found.ID(), node, abandon, machineIsOff, Params.none());
        if (abandon) {
            call.out("Nothing holds volume \"%s\" on node %s any more.".formatted(found.ID(), node));
        }
        return 0;
    }

    private static CsiVolumeStub find(Call call, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        return Prefix.one(
                "volume",
                given,
                call.client().volumes().list(Params.none().prefix(given)).body(),
                CsiVolumeStub::ID,
                VolumeView::list);
    }

    private static boolean isHost(Call call) throws Failure {
        String type = call.flags().value("type").orElse("csi");
        if (!type.equals("csi") && !type.equals("host")) {
            throw new Failure("there are no volumes of type \"%s\": expected csi or host".formatted(type));
        }
        return type.equals("host");
    }
}
