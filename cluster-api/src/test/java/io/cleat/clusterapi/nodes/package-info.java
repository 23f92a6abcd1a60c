@NullMarked
package io.cleat.clusterapi.nodes;

import org.jspecify.annotations.NullMarked;
