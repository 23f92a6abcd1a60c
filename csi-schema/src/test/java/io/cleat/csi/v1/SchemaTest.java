package io.cleat.csi.v1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.protobuf.DescriptorProtos.DescriptorProto.ReservedRange;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto.EnumReservedRange;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Our compiled schema has the names, numbers, types and methods of CSI 1.13, no more, no less. */
final class SchemaTest {
    private static final List<FileDescriptor> FILES = List.of(
            IdentityProto.getDescriptor(),
            VolumeProto.getDescriptor(),
            SnapshotProto.getDescriptor(),
            ControllerProto.getDescriptor(),
            NodeProto.getDescriptor(),
            GroupControllerProto.getDescriptor(),
            SnapshotMetadataProto.getDescriptor());

    /** Where our name differs from the specification's, because Java's accessors would clash. */
    private static final Map<String, String> RENAMED = Map.of("mutable_params", "mutable_parameters");

    @Test
    void compiledSchemaIsThatOfTheSpecification() throws IOException {
        assertEquals(String.join("\n", facts()), String.join("\n", compiled()));
    }

    @Test
    void servicesHaveTheirWireNames() {
        assertEquals("csi.v1.Identity", IdentityGrpc.SERVICE_NAME);
        assertEquals("csi.v1.Controller", ControllerGrpc.SERVICE_NAME);
        assertEquals("csi.v1.Node", NodeGrpc.SERVICE_NAME);
        assertEquals("csi.v1.GroupController", GroupControllerGrpc.SERVICE_NAME);
        assertEquals("csi.v1.SnapshotMetadata", SnapshotMetadataGrpc.SERVICE_NAME);
        assertEquals(
                "csi.v1.Controller/CreateVolume",
                ControllerGrpc.getCreateVolumeMethod().getFullMethodName());
    }

    private static List<String> facts() throws IOException {
        try (InputStream file = SchemaTest.class.getResourceAsStream("csi-1.13.facts")) {
            assertNotNull(file, "csi-1.13.facts");
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private static List<String> compiled() {
        List<String> lines = new ArrayList<>();
        for (FileDescriptor file : FILES) {
            assertEquals("csi.v1", file.getPackage());
            file.getMessageTypes().forEach(message -> describe(message, lines));
            file.getEnumTypes().forEach(values -> lines.add(describe(values)));
            file.getServices().forEach(service -> lines.add(describe(service)));
        }
        return lines.stream().sorted().toList();
    }

    private static void describe(Descriptor message, List<String> lines) {
        TreeMap<Integer, String> fields = new TreeMap<>();
        for (FieldDescriptor field : message.getFields()) {
            fields.put(field.getNumber(), describe(field));
        }
        for (ReservedRange range : message.toProto().getReservedRangeList()) {
            for (int number = range.getStart(); number < range.getEnd(); number++) {
                fields.put(number, "reserved");
            }
        }
        lines.add(line("message " + ours(message.getFullName()), fields));
        message.getEnumTypes().forEach(values -> lines.add(describe(values)));
        for (Descriptor nested : message.getNestedTypes()) {
            if (!nested.getOptions().getMapEntry()) {
                describe(nested, lines);
            }
        }
    }

    private static String describe(FieldDescriptor field) {
        String text = RENAMED.getOrDefault(field.getName(), field.getName()) + " ";
        if (field.isMapField()) {
            List<FieldDescriptor> entry = field.getMessageType().getFields();
            text += "map<" + type(entry.get(0)) + "," + type(entry.get(1)) + ">";
        } else {
            text += (field.isRepeated() ? "repeated " : "") + type(field);
        }
        if (field.getContainingOneof() != null) {
            text += " in " + field.getContainingOneof().getName();
        }
        return text + (field.getOptions().getExtension(OptionsProto.csiSecret) ? " secret" : "");
    }

    private static String type(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case MESSAGE -> ours(field.getMessageType().getFullName());
            case ENUM -> ours(field.getEnumType().getFullName());
            default ->
                field.toProto().getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
        };
    }

    private static String describe(EnumDescriptor values) {
        TreeMap<Integer, String> names = new TreeMap<>();
        for (EnumValueDescriptor value : values.getValues()) {
            names.put(value.getNumber(), value.getName());
        }
        for (EnumReservedRange range : values.toProto().getReservedRangeList()) {
            for (int number = range.getStart(); number <= range.getEnd(); number++) {
                names.put(number, "reserved");
            }
        }
        return line("enum " + ours(values.getFullName()), names);
    }

    private static String describe(ServiceDescriptor service) {
        TreeSet<String> methods = new TreeSet<>();
        for (MethodDescriptor method : service.getMethods()) {
            methods.add(method.getName()
                    + ("(" + (method.isClientStreaming() ? "stream " : ""))
                    + (ours(method.getInputType().getFullName()) + ") ")
                    + (method.isServerStreaming() ? "stream " : "")
                    + ours(method.getOutputType().getFullName()));
        }
        return "service " + ours(service.getFullName()) + ": " + String.join("; ", methods);
    }

    private static String line(String head, Map<Integer, String> numbered) {
        List<String> parts = new ArrayList<>();
        numbered.forEach((number, text) -> parts.add(number + " " + text));
        return parts.isEmpty() ? head : head + ": " + String.join("; ", parts);
    }

    private static String ours(String fullName) {
        return fullName.startsWith("csi.v1.") ? fullName.substring("csi.v1.".length()) : fullName;
    }
}
