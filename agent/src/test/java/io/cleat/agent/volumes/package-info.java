/** Tests of the node's volumes: real journals, real mounts where the tests run as root. */
@NullMarked
package io.cleat.agent.volumes;

import org.jspecify.annotations.NullMarked;
