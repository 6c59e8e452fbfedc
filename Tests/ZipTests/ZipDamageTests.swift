import TestSupport
import Testing
import Zip

struct ZipDamageTests {
    @Test(arguments: ZipSamples.options.indices)
    func `a beginning of an archive is never taken for one`(form: Int) throws {
        for prefix in SeededDamage.prefixes(of: try ZipSamples.archive(ZipSamples.options[form])) {
            #expect(throws: ZipRefusal.self, "\(prefix.count) bytes") {
                try ZipSamples.contents(prefix)
            }
        }
    }

    @Test(arguments: ZipSamples.options.indices)
    func `a damaged archive is refused or reads the same`(form: Int) throws {
        let whole = try ZipSamples.archive(ZipSamples.options[form])
        let contents = try ZipSamples.contents(whole)
        var refused = 0
        let seed = UInt64(1000 + form)
        for (index, damaged) in SeededDamage.flips(of: whole, count: 1500, seed: seed).enumerated()
        {
            do throws(ZipRefusal) {
                let found = try ZipSamples.contents(damaged)
                #expect(found == contents, "seed \(seed), number \(index)")
            } catch {
                refused += 1
                #expect(error.rule != .unreadable, "seed \(seed), number \(index): \(error)")
            }
        }
        #expect(refused > 1000)
    }
}
