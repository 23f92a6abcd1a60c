@NullMarked
package io.cleat.clusterapi.namespaces;

import org.jspecify.annotations.NullMarked;
