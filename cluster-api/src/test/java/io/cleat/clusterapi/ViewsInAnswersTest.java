package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiVolume;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.PluginInstance;
import io.cleat.clusterapi.plugins.KnownCounts;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.clusterapi.query.MapOfViews;
import io.cleat.clusterapi.volumes.VolumeView;
import io.cleat.http.ReadQuery;
import io.cleat.state.ClusterState;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Objects of the API that hold as much as the cluster is large. */
final class ViewsInAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final int MANY = 20_000;

    /** What the writer of JSON keeps before it hands it on. */
    private static final int OF_JSON = 2 * 8192;

    private static final String TEXT = "x".repeat(100);

    private record Holder(List<String> Rows, Map<String, String> ByName) {}

    /** How many bytes were ever made and not yet written. */
    private static final class Backlog extends OutputStream {
        private long made;
        private long written;
        private long most;

        String view(int number) {
            made += TEXT.length();
            most = Math.max(most, made - written);
            return TEXT;
        }

        @Override
        public void write(int b) {
            written++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            written += length;
        }
    }

    @Test
    void whatIsInsideAnAnswerIsMadeAsItIsWritten() throws Exception {
        Backlog backlog = new Backlog();
        SortedMap<String, Integer> rows = new TreeMap<>();
        IntStream.range(0, MANY).forEach(number -> rows.put("node-" + number, number));
        Holder holder = new Holder(
                new ListOfViews<>(List.copyOf(rows.values()), backlog::view), new MapOfViews<>(rows, backlog::view));
        Json.write(backlog, holder);
        assertEquals(2L * MANY * TEXT.length(), backlog.made);
        assertTrue(backlog.most <= OF_JSON, "at most " + backlog.most + " bytes waited");
    }

    @Test
    void theBytesAreThoseOfListsAndMapsInMemory() {
        for (int count : List.of(0, 1, 3)) {
            SortedMap<String, Integer> rows = new TreeMap<>();
            IntStream.range(0, count).forEach(number -> rows.put("node-" + number, number));
            List<String> list = new ArrayList<>();
            Map<String, String> map = new HashMap<>();
            rows.forEach((name, number) -> {
                list.add("v" + number);
                map.put(name, "v" + number);
            });
            Holder views = new Holder(
                    new ListOfViews<>(List.copyOf(rows.values()), number -> "v" + number),
                    new MapOfViews<>(rows, number -> "v" + number));
            assertArrayEquals(Json.write(new Holder(list, new TreeMap<>(map))), Json.write(views));
        }
    }

    @Test
    void aPluginsInstancesAndAllocationsAreMadeAnewAtEachLook() throws Exception {
        CsiPlugin plugin =
                SampleCluster.whole().cluster().plugins().get(NOW, "hp").body().orElseThrow();
        PluginInstance node = plugin.Nodes().get(SampleCluster.NODE);
        assertEquals(node, plugin.Nodes().get(SampleCluster.NODE));
        assertNotSame(node, plugin.Nodes().get(SampleCluster.NODE));
        assertNotSame(
                plugin.Controllers().get(SampleCluster.NODE),
                plugin.Controllers().get(SampleCluster.NODE));
        List<AllocationStub> allocations = Objects.requireNonNull(plugin.Allocations());
        assertNotSame(allocations.getFirst(), allocations.getFirst());
    }

    @Test
    void aVolumesAllocationsAndAJobsVersionsAreMadeAnewAtEachLook() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        ServerCluster cluster = sample.cluster();
        ClusterState state = sample.state();
        CsiVolume volume = new VolumeView(state, new KnownCounts().in(state))
                .whole(state.volume(SampleCluster.VOLUME).orElseThrow());
        assertNotSame(volume.Allocations().getFirst(), volume.Allocations().getFirst());
        List<Job> versions = cluster.jobVersions()
                .versions(NOW, "web", false, OptionalLong.empty(), "")
                .body()
                .orElseThrow()
                .Versions();
        assertEquals(versions.getFirst(), versions.getFirst());
        assertNotSame(versions.getFirst(), versions.getFirst());
    }
}
