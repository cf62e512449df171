"""Reports: pure functions from grades to text. They only read; two renderings of one grade are byte-identical.

Nothing is imported here, since half of these modules need a library that most commands never use:

    record      the whole grade as JSON, there and back          table       grades.csv
    junit       JUnit XML for CI systems                         gradescope  results.json
    page        the HTML page of a submission, and of a batch    github      annotations, step summary, Classroom
    console     what ``check`` and ``grade`` print

``shown`` makes text that a student wrote safe to show, ``words`` says what several reports say in the same words;
``view`` and ``overview`` compute what the page of a submission and the index of a batch show.
"""
