import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names and addresses at which this machine can be reached.
package enum MachineNames {
    /// Returns them sorted and without duplicates: `localhost`, loopback addresses, the host name, and
    /// the interfaces' addresses except IPv6 link-local ones, which need a zone.
    package static func all() -> [String] {
        var names: Set = ["localhost", "127.0.0.1", "::1"]
        if let host = hostName() {
            names.insert(host)
            if !host.contains(".") { names.insert(host + ".local") }
        }
        names.formUnion(addresses())
        return names.sorted()
    }

    /// The addresses of the interfaces, IPv4 first.
    package static func addresses() -> [String] {
        let devices = (try? System.enumerateDevices()) ?? []
        let found = devices.compactMap { $0.address?.ipAddress }
        let usable = Set(found.filter { !$0.lowercased().hasPrefix("fe80") && !$0.contains("%") })
        return usable.sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }

    static func hostName() -> String? {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 256) { buffer, filled in
            guard let start = buffer.baseAddress, unsafe gethostname(start, 255) == 0 else {
                return
            }
            filled = unsafe buffer.prefix(255).firstIndex(of: 0) ?? 255
        }
        let name = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789-."
        return name.isEmpty || !name.allSatisfy(allowed.contains) ? nil : name
    }
}
