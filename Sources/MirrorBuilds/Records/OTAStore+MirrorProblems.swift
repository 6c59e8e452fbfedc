import Identifiers
import Mirrors
import Releases
package import Store

extension OTAStore {
    /// Returns the documents of mirrors and their builds that cannot be read.
    ///
    /// - Throws: ``StoreFailure`` only if the store cannot be listed.
    package func mirrorProblems() throws(StoreFailure) -> [StoreProblem] {
        var problems = [problem { () throws(StoreFailure) in _ = try mirrors() }]
        for file in try backend.names(in: DocumentName("following")) {
            guard let mirror = Slug(String(file.dropLast(".json".count))) else { continue }
            problems += [
                problem { () throws(StoreFailure) in _ = try mirrorState(mirror) },
                problem { () throws(StoreFailure) in _ = try secrets(of: mirror) },
            ]
        }
        for folder in try backend.names(in: .runs) {
            guard let mirror = Slug(folder) else { continue }
            for number in try runNumbers(of: mirror) {
                problems.append(
                    problem { () throws(StoreFailure) in _ = try run(number, of: mirror) }
                )
            }
        }
        return problems.compactMap(\.self)
    }
}
