package import Identifiers
import Releases
package import Store
import Mirrors

/// The documents of builds.
extension OTAStore {
    package func run(_ number: Int, of mirror: Slug) throws(StoreFailure) -> MirrorRun? {
        try value(MirrorRun.self, .run(number, of: mirror))
    }

    /// A mirror's builds, newest first.
    package func runs(
        of mirror: Slug,
        offset: Int = 0,
        count: Int,
    ) throws(StoreFailure) -> [MirrorRun] {
        var runs: [MirrorRun] = []
        for number in try runNumbers(of: mirror).dropFirst(offset).prefix(count) {
            if let run = try run(number, of: mirror) { runs.append(run) }
        }
        return runs
    }

    /// Changes a build's record.
    ///
    /// - Throws: what `change` throws, and ``StoreFailure``.
    @discardableResult
    package func changeRun(
        _ number: Int,
        of mirror: Slug,
        _ change: (inout MirrorRun) throws -> Void,
    ) throws -> MirrorRun {
        try self.change(.run(number, of: mirror), else: nil, change).value
    }
}
