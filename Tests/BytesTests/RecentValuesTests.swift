import Bytes
import Testing

/// What a cache with a limit in bytes keeps.
struct RecentValuesTests {
    @Test func `what is asked for again and again stays, whatever else comes`() {
        var values = RecentValues<Int, String>(limit: 1000)
        values.keep("wanted", for: 0, cost: 100)
        for key in 1..<1000 {
            values.keep("passing", for: key, cost: 100)
            #expect(values.value(0) == "wanted")
        }
        #expect(values.value(1) == nil)
        #expect((0..<1000).count { values.value($0) != nil } <= 10, "the bound holds")
    }

    @Test func `what was used within the last half of the bound stays`() {
        var values = RecentValues<Int, Int>(limit: 1000)
        for key in 0..<100 {
            values.keep(key, for: key, cost: 100)
            for last in max(0, key - 4)...key { #expect(values.value(last) == last) }
        }
    }

    @Test func `a value in place of another one costs once`() {
        var values = RecentValues<Int, Int>(limit: 1000)
        values.keep(0, for: 0, cost: 400)
        for round in 0..<100 { values.keep(round, for: 1, cost: 100) }
        #expect(values.value(0) == 0)
        #expect(values.value(1) == 99)
    }

    @Test func `a value that costs more than half of the bound is not kept`() {
        var values = RecentValues<Int, Int>(limit: 1000)
        values.keep(1, for: 0, cost: 500)
        #expect(values.value(0) == 1)
        values.keep(2, for: 0, cost: 501)
        #expect(values.value(0) == nil)
    }

    @Test func `what is removed is gone from both generations`() {
        var values = RecentValues<Int, Int>(limit: 1000)
        for key in 0..<8 { values.keep(key, for: key, cost: 100) }
        for key in 0..<8 { values.remove(key) }
        #expect((0..<8).allSatisfy { values.value($0) == nil })
        values.keep(1, for: 1, cost: 500)
        values.removeAll()
        #expect(values.value(1) == nil)
    }
}
