package io.cleat.bench;

import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.network.CniSettings;
import io.cleat.agent.network.JoinedNetwork;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
import io.cleat.kernel.BootId;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network of mode {@code bridge} with a port, and a task in it, in turns with the same CNI plugins and the same
 * runtime called as a person would call them.
 */
final class NetworkBench implements Bench {
    private static final int TURNS = 15;
    private static final String ROW = "network: bridge and a port";
    private static final int PORT_BY_HAND = 33_002;
    private static final AllocatedPort PORT = new AllocatedPort("http", 33_001, 80, "127.0.0.1", false);
    private static final GroupNetwork WANTED = new GroupNetwork(GroupNetwork.BRIDGE, "", null, List.of(), Map.of());

    @Override
    public String name() {
        return "network";
    }

    @Override
    public String about() {
        return "a task starts in a network of its own";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent(ROW, "reason: needs root"));
        }
        long pid = ProcessHandle.current().pid();
        CniSettings usual = CniSettings.USUAL;
        // Of its own: rules are by address, and agents of this machine have theirs.
        CniSettings settings = new CniSettings(
                scratch.resolve("configs"),
                usual.programs(),
                "cleat-b" + pid % 10_000,
                "172.28." + pid % 250 + ".0/24",
                "",
                0);
        try (IsolatedTasks tasks = new IsolatedTasks(scratch)) {
            if (tasks.runtime().isEmpty()) {
                return List.of(tasks.withoutRuntime(ROW));
            }
            AllocationNetworks networks = AllocationNetworks.at(
                    scratch.resolve("networks"),
                    settings,
                    Launcher.shim(),
                    tasks.threads(),
                    BootId.read(),
                    _ -> Optional.empty());
            if (!networks.modes().contains(GroupNetwork.BRIDGE)) {
                return List.of(
                        BenchRow.absent(ROW, "reason: no CNI plugins, iptables or iproute2 here: ./dev setup -y"));
            }
            try {
                return measured(tasks, networks, settings);
            } finally {
                remove(settings.bridge());
            }
        }
    }

    private static List<BenchRow> measured(IsolatedTasks tasks, AllocationNetworks networks, CniSettings settings)
            throws Exception {
        Samples made = new Samples();
        Samples madeByHand = new Samples();
        Samples started = new Samples();
        Samples byHand = new Samples();
        Samples removed = new Samples();
        Samples removedByHand = new Samples();
        String alloc = "bench-" + ProcessHandle.current().pid();
        for (int i = 0; i <= TURNS; i++) {
            NetworkByHand hand = new NetworkByHand(settings, alloc + "-by-hand", PORT_BY_HAND);
            try {
                long begin = System.nanoTime();
                JoinedNetwork network = networks.ensure(alloc, WANTED, List.of(PORT), Optional.empty(), false);
                long ensured = System.nanoTime();
                TaskHandle task = tasks.driver().start(in(tasks.sleeper(i), network));
                long running = System.nanoTime();
                ByHand container = tasks.byHand(task.state()).in(hand.namespace());
                long handBegin = System.nanoTime();
                hand.make();
                long handMade = System.nanoTime();
                container.start();
                long handRunning = System.nanoTime();
                container.delete();
                tasks.driver().destroy(task);
                long undoing = System.nanoTime();
                networks.remove(alloc);
                long undone = System.nanoTime();
                hand.remove();
                long handUndone = System.nanoTime();
                if (i > 0) {
                    made.add(ensured - begin);
                    started.add(running - begin);
                    madeByHand.add(handMade - handBegin);
                    byHand.add(handRunning - handBegin);
                    removed.add(undone - undoing);
                    removedByHand.add(handUndone - undone);
                }
            } finally {
                networks.remove(alloc);
                hand.remove();
            }
        }
        String runtime = Path.of(tasks.runtime().orElseThrow()).getFileName().toString();
        return List.of(
                row(ROW, made, "the plugins by hand", madeByHand),
                row("isolated task in it, start of both", started, "plugins and " + runtime + " by hand", byHand),
                row("network: undone", removed, "the plugins by hand", removedByHand));
    }

    private static BenchRow row(String what, Samples own, String peer, Samples hand) {
        return BenchRow.of(what, own.median(), Unit.SECONDS)
                .limit(peer, hand.median())
                .detail("our share " + Unit.SECONDS.text(Math.max(0, own.median() - hand.median())));
    }

    private static TaskConfig in(TaskConfig task, JoinedNetwork network) {
        List<String> addresses = Optional.ofNullable(network.address()).map(AllocAddress::address).stream()
                .toList();
        return task.in(new TaskNetwork(network.namespace(), network.labels(), "bench", addresses, network.dns()));
    }

    /** The bridge, which plugins leave, and where its addresses are written down. */
    private static void remove(String bridge) throws Exception {
        if (Files.exists(Path.of("/sys/class/net", bridge))) {
            Commands.run("ip", "link", "delete", bridge);
        }
        Commands.run("rm", "-rf", "/var/lib/cni/networks/" + bridge);
    }
}
