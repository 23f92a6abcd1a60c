package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.testkit.Behaviour;
import io.grpc.Status;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any order of starts, stops, restarts of the agent and bad answers of the plugin. */
@Timeout(120)
class VolumeLivesProperties {
    private static final int STEPS = 40;
    private static final List<String> VOLUMES = List.of("ext-1", "ext-2");

    /** After each step exactly what is in use is mounted, and it is staged once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void whatIsMountedIsWhatIsUsed(long seed) throws Exception {
        Random random = new Random(seed);
        Ground ground = Ground.make();
        try {
            Set<String> users = new TreeSet<>();
            for (int step = 0; step < STEPS; step++) {
                String volume = VOLUMES.get(random.nextInt(VOLUMES.size()));
                String user = "a" + random.nextInt(3) + "-" + volume;
                switch (random.nextInt(6)) {
                    case 0 -> ground.restart();
                    case 1 -> ground.sweeper.sweep(List::of);
                    case 2 -> misbehave(ground, random);
                    default -> {
                        if (users.remove(user)) {
                            ground.unpublish(user);
                        } else {
                            ground.publish(user, volume, Ground.SHARED);
                            users.add(user);
                        }
                    }
                }
                assertEquals(
                        expected(ground, users),
                        new TreeSet<>(ground.mounted()),
                        "seed " + seed + ", step " + step + ", users " + users);
                assertEquals(expected(ground, users).size(), ground.mounted().size(), "mounted twice");
            }
            for (String user : users) {
                ground.unpublish(user);
            }
            ground.assertNothingLeft();
        } finally {
            ground.close();
        }
    }

    /** Each next call of some kind goes wrong once. */
    private static void misbehave(Ground ground, Random random) {
        List<String> calls =
                List.of("NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume");
        List<Behaviour> ways = List.of(
                Behaviour.refuse(Status.Code.INTERNAL, "no"),
                Behaviour.doThen(Behaviour.refuse(Status.Code.UNAVAILABLE, "gone")),
                Behaviour.refuse(Status.Code.ABORTED, "at it"));
        ground.plugin.script(
                calls.get(random.nextInt(calls.size())), ways.get(random.nextInt(ways.size())), Behaviour.ok());
    }

    private static Set<String> expected(Ground ground, Set<String> users) {
        Set<String> mounts = new TreeSet<>();
        for (String user : users) {
            String volume = user.substring(user.indexOf('-') + 1) + "-name";
            mounts.add(ground.target(user, volume, Ground.SHARED).toString());
            mounts.add(ground.staging(volume).toString());
        }
        return mounts;
    }
}
