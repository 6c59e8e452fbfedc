import Foundation

/// The manifest's address in an `itms-services` link, as iOS parses it.
struct ItmsServicesLink: Equatable {
    /// Percent-decoded once, as in iOS.
    let manifest: String

    /// - Throws: ``Unreadable`` with the reason as a clause.
    init(_ link: String) throws(Unreadable) {
        let scheme = "itms-services:"
        guard link.lowercased().hasPrefix(scheme) else {
            throw Unreadable("it does not begin with itms-services:")
        }
        let rest = link.dropFirst(scheme.count)
        guard let mark = rest.firstIndex(of: "?") else {
            throw Unreadable("it has no question mark before its parameters")
        }
        var values: [String: String] = [:]
        for parameter in rest[rest.index(after: mark)...].split(separator: "&") {
            let parts = parameter.split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false,
            )
            guard let name = parts.first, parts.count == 2 else { continue }
            guard let value = String(parts[1]).removingPercentEncoding else {
                throw Unreadable("the percent-encoding of \(name) is broken")
            }
            values[name.lowercased()] = values[name.lowercased()] ?? value
        }
        guard values["action"] == "download-manifest" else {
            throw Unreadable("its action is not download-manifest")
        }
        guard let manifest = values["url"], !manifest.isEmpty else {
            throw Unreadable("it has no url parameter")
        }
        guard !manifest.contains(" ") else {
            throw Unreadable(
                "after decoding, the manifest's address contains a space: encode the whole address, so that a space becomes %2520"
            )
        }
        guard WebAddress(manifest) != nil else {
            throw Unreadable("its url parameter is not an absolute web address")
        }
        self.manifest = manifest
    }

    struct Unreadable: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
