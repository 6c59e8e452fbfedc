import Foundation

/// A store with as many releases as wanted.
struct Catalogue {
    let store: String
    let bench: Workbench

    /// Publishes one release, and copies its document under other build numbers.
    ///
    /// That is what thousands of publishes would leave behind but for the blobs, which the copies
    /// share; `ota store verify` must find nothing wrong with it.
    func fill(releases count: Int, beginningWith build: String) throws -> Publication {
        let publication = try bench.publish(build, into: store)
        let folder = URL(filePath: "\(store)/apps/\(publication.app)/releases")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        guard let name = names.first(where: { $0.hasSuffix(".json") }) else {
            throw BenchmarkFailure.unexpected(program: "ota publish", output: "\(names)")
        }
        let document = try Data(contentsOf: folder.appending(path: name))
        guard var release = try JSONSerialization.jsonObject(with: document) as? [String: Any]
        else { throw BenchmarkFailure.unexpected(program: "ota publish", output: name) }
        for number in 1..<count {
            release["version"] = "0.\(number)"
            release["build"] = "\(number)"
            let path = folder.appending(path: "0.\(number)-\(number).json").path()
            let bytes = try JSONSerialization.data(
                withJSONObject: release,
                options: [.sortedKeys, .withoutEscapingSlashes],
            )
            let attributes = [FileAttributeKey.posixPermissions: 0o600]
            guard
                FileManager.default.createFile(
                    atPath: path,
                    contents: bytes,
                    attributes: attributes,
                )
            else { throw BenchmarkFailure.unexpected(program: "a write", output: path) }
        }
        try bench.run(bench.ota, "store", "verify", "--quick", "--store", store)
        return publication
    }
}
